// A package's tarball: its address at the registry that npm's settings name for the package,
// what it must hash to, and the credentials for it.

import { Type } from "typebox";
import { Value } from "typebox/value";
import { notFound, serverError, upstreamFailed } from "../call/index.ts";
import type { Environment } from "../config/index.ts";
import { askNpmForRegistry } from "./ask-npm.ts";
import type { Download, Tools } from "./download.ts";
import { type NpmSettings, readNpmSettings } from "./read-npmrc.ts";
import { type Refusal, refuse } from "./reply-refusal.ts";
import { retrying } from "./retrying.ts";

export type Tarball = Pick<Download, "url" | "authorization" | "digest" | "algorithm" | "refusal">;

export interface NpmRegistry {
  locate(packageName: string, version: string): Promise<Tarball>;
}

/** As the registry sends it, abridged or whole. */
const PackageSchema = Type.Object({
  versions: Type.Record(
    Type.String(),
    Type.Object({
      dist: Type.Object({
        tarball: Type.String(),
        integrity: Type.Optional(Type.String()),
        shasum: Type.Optional(Type.String()),
      }),
    }),
  ),
});

const ABRIDGED = "application/vnd.npm.install-v1+json, application/json;q=0.8";
const LARGEST_METADATA = 64 * 1024 ** 2;
const VERSIONS_SHOWN = 5;

export async function openNpmRegistry(
  environment: Environment,
  projectDirectory: string,
  tools: Tools,
): Promise<NpmRegistry> {
  const settings = await readNpmSettings(environment, projectDirectory);
  const { signal } = tools;
  let asked: Promise<string> | undefined;
  const askOnce = (): Promise<string> => {
    asked ??= askNpmForRegistry(environment, projectDirectory, signal);
    return asked;
  };

  async function registryOf(packageName: string): Promise<URL> {
    const scope = packageName.startsWith("@") ? packageName.split("/")[0] : undefined;
    const scoped = scope === undefined ? undefined : settings.get(`${scope}:registry`);
    const address = scoped ?? settings.get("registry") ?? (await askOnce());
    const url = URL.parse(address.endsWith("/") ? address : `${address}/`);
    if (url === null) throw serverError(`"${address}" in npm's settings is no registry's address`);
    return url;
  }

  return {
    async locate(packageName, version) {
      const registry = await registryOf(packageName);
      const url = new URL(packageName.replace("/", "%2f"), registry);
      const refusal = refusalFor(packageName, version);
      const authorization = authorizationFor(url, settings);
      const { versions } = await retrying(
        () => readPackage(url, authorization, refusal, tools),
        tools,
      );
      const dist = versions[version]?.dist;
      if (dist === undefined) throw noSuchVersion(packageName, version, Object.keys(versions));
      const tarball = atRegistry(dist.tarball, registry);
      return {
        url: tarball,
        authorization: authorizationFor(tarball, settings),
        refusal,
        ...strongest(dist.integrity, dist.shasum, `${packageName}@${version}`),
      };
    },
  };
}

async function readPackage(
  url: URL,
  authorization: string | undefined,
  refusal: Refusal,
  { transport, signal }: Tools,
) {
  const reply = await transport.get({ url, authorization, signal, headers: { accept: ABRIDGED } });
  if (reply.status !== 200) return refuse(reply, url.host, refusal);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of reply.chunks()) {
    bytes += chunk.length;
    if (bytes > LARGEST_METADATA) throw serverError(`${url.host} sends no end of metadata`);
    chunks.push(chunk);
  }
  const value = parseJson(Buffer.concat(chunks).toString());
  if (Value.Check(PackageSchema, value)) return value;
  throw upstreamFailed(`${url.host} answers something else than a package: is it an npm registry?`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Mirrors pass on metadata that names the host they mirror; the mirror has the file too. */
function atRegistry(tarball: string, registry: URL): URL {
  const url = new URL(tarball, registry);
  if (url.origin === registry.origin) return url;
  const path = url.pathname.startsWith(registry.pathname)
    ? url.pathname.slice(registry.pathname.length)
    : url.pathname.slice(1);
  return new URL(path + url.search, registry);
}

/** The most specific setting whose host and path the address lies under. */
function authorizationFor(url: URL, settings: NpmSettings): string | undefined {
  for (let path = url.pathname; path !== ""; path = path.slice(0, -1)) {
    if (!path.endsWith("/")) continue;
    const place = `//${url.host}${path}`;
    const token = settings.get(`${place}:_authToken`);
    if (token !== undefined) return `Bearer ${token}`;
    const basic = settings.get(`${place}:_auth`);
    if (basic !== undefined) return `Basic ${basic}`;
  }
  return undefined;
}

function strongest(
  integrity: string | undefined,
  shasum: string | undefined,
  what: string,
): Pick<Tarball, "digest" | "algorithm"> {
  for (const algorithm of ["sha512", "sha256", "sha1"] as const) {
    const [, base64] = new RegExp(`(?:^|\\s)${algorithm}-([^\\s?]+)`).exec(integrity ?? "") ?? [];
    if (base64 !== undefined)
      return { algorithm, digest: Buffer.from(base64, "base64").toString("hex") };
  }
  if (shasum !== undefined) return { algorithm: "sha1", digest: shasum };
  throw serverError(`The registry tells no integrity of ${what}, so it cannot be checked`);
}

const refusalFor = (packageName: string, version: string): Refusal => ({
  what: `the package ${packageName}@${version}`,
  onMissing: "Check the name, and `npm config get registry` for the registry meant.",
  onDenied: "Log in with `npm login`, or set the registry's _authToken in .npmrc.",
});

function noSuchVersion(packageName: string, version: string, there: readonly string[]): Error {
  const last = there.slice(-VERSIONS_SHOWN).join(", ");
  return notFound(`${packageName} has no version ${version}; the last ones are ${last || "none"}`);
}
