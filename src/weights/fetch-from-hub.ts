// Weights from a model hub that speaks the Hugging Face layout. Large files come by redirect
// from a content network; the hub itself tells their sha256 on the way.

import { join } from "node:path";
import { invalidRequest } from "../call/index.ts";
import type { Environment } from "../config/index.ts";
import { download } from "./download.ts";
import type { Fetched, FetchOrder } from "./place.ts";
import type { Reply } from "./transport.ts";

export type HubFile = {
  readonly repository: string;
  readonly file: string;
  readonly revision: string;
};

export type HubSurroundings = {
  readonly environment: Environment;
  /** Default: HF_ENDPOINT, or the public hub. */
  readonly hubEndpoint: string | undefined;
};

const PUBLIC_HUB = "https://huggingface.co";

export async function fetchFromHub(
  { repository, file, revision }: HubFile,
  { place, tools, onProgress, sha256 }: FetchOrder,
  { environment, hubEndpoint }: HubSurroundings,
): Promise<Fetched> {
  const endpoint = hubEndpoint ?? (environment.HF_ENDPOINT || PUBLIC_HUB);
  const path = join(place.directory, "file.partial");
  const what = `${file} of ${repository} at ${revision}`;
  const token = environment.HF_TOKEN;
  const { bytes, digest } = await download(
    {
      url: hubAddress(endpoint, [repository, "resolve", encodeURIComponent(revision), file]),
      authorization: token ? `Bearer ${token}` : undefined,
      path,
      identity: `${endpoint} ${repository} ${revision} ${file}`,
      algorithm: "sha256",
      digest: sha256,
      readDigest: (reply) => readLinkedSha256(reply, sha256, what),
      refusal: {
        what,
        onMissing: "Check owner, repository, file and revision; their letters' case counts.",
        onDenied: token
          ? "The token in HF_TOKEN may not read it: accept the model's terms, or check its name."
          : "It may be private, gated or misspelt: set HF_TOKEN to a token that may read it.",
      },
      onBytes: (doneBytes, totalBytes) => onProgress({ stage: "fetching", doneBytes, totalBytes }),
    },
    tools,
  );
  return { path, bytes, sha256: digest };
}

function hubAddress(endpoint: string, path: readonly string[]): URL {
  const url = URL.parse(`${endpoint.replace(/\/$/, "")}/${path.join("/")}`);
  if (url === null) throw invalidRequest(`"${endpoint}" is no hub's address: check HF_ENDPOINT`);
  return url;
}

/** Told before the first byte: a file that is not the wanted one need not be fetched at all. */
function readLinkedSha256(reply: Reply, wanted: string | undefined, what: string) {
  const tag = reply.header("x-linked-etag") ?? reply.header("etag");
  const [, told] = /^"?([0-9a-f]{64})"?$/.exec(tag ?? "") ?? [];
  if (told !== undefined && wanted !== undefined && told !== wanted) {
    throw invalidRequest(
      `${what} has sha256 ${told}, and ${wanted} was asked for: correct the sha256, or name another revision`,
    );
  }
  return told;
}
