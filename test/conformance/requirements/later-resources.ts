// Images and MCP: resources of later releases.

import { later, type Section, testsOf } from "./requirement.ts";

const routes = testsOf("test/conformance/later-routes.test.ts");
const images = routes("POST /v1/images/generations answers 501 until it is built");
const servers = routes("GET /v1/mcp/servers answers 501 until it is built");

const image = (id: string, words: string) => later(id, words, images);
const mcp = (id: string, words: string) => later(id, words, servers);

export const laterSections: readonly Section[] = [
  {
    title: "Image generation request",
    requirements: [
      image("image-request.model", "`model`: required, an image model"),
      image("image-request.prompt", "`prompt`: required, up to 10,000 characters"),
      image("image-request.aspect_ratio", "`aspect_ratio`: one of nine, default 1:1"),
      image("image-request.size", "`size`: one of nine, default 1024x1024"),
      image("image-request.negative_prompt", "`negative_prompt`: up to 10,000 characters"),
      image("image-request.output_format", "`output_format`: jpeg or png, default png"),
      image(
        "image-request.seed",
        "`seed`: 0 (random) to 4294967295; the same seed, the same image",
      ),
      image("image-request.allow_ignored_params", "`allow_ignored_params`: default false"),
    ],
  },
  {
    title: "Image generation response",
    requirements: [
      image("image-reply.created", "`created` in Unix seconds"),
      image("image-reply.data", "`data`: exactly one"),
      image("image-reply.b64_json", "`data[0].b64_json`: the image in base64"),
      image("image-reply.revised_prompt", "`data[0].revised_prompt`: empty"),
    ],
  },
  {
    title: "MCP server record",
    requirements: [
      mcp("mcp-record.namespace", "`namespace`: the registered name"),
      mcp("mcp-record.server_status", "`server_status`: registered or disconnected"),
      mcp("mcp-record.tools", "`tools`: what the server offers"),
      mcp("mcp-record.primitives_status", "`primitives_status`, error among its values"),
    ],
  },
  {
    title: "MCP server manifest",
    requirements: [
      mcp("mcp-manifest.name", "`name`"),
      mcp("mcp-manifest.description", "`description`"),
      mcp("mcp-manifest.url", "`endpoints.websocket.url`: a wss address, in remote mode"),
      mcp("mcp-manifest.version", "`version` in semantic form"),
      mcp("mcp-manifest.tools", "`tools`: name, description, input_schema"),
      mcp("mcp-manifest.path", "A remote server shows it at /.well-known/mcp.json"),
      mcp("mcp-manifest.stdio", "A STDIO server brings it along"),
    ],
  },
];
