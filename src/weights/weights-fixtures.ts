// Places, small models and packages for the tests of this folder.

import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createWeightsStore, type WeightsStoreOptions } from "./create-weights-store.ts";
import type { Page, StandIn } from "./stand-in-fixture.ts";
import { packTgz } from "./tar-fixture.ts";

export function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), "hearth-weights-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Begins as a GGUF does; the rest does not compress, so that tarballs have its size. */
export const modelBytes = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from("GGUF"), randomBytes(bytes - 4)]);

export const digestOf = (body: Buffer, algorithm = "sha256"): string =>
  createHash(algorithm).update(body).digest("hex");

export type Publication = {
  readonly name: string;
  readonly file?: string;
  readonly body: Buffer;
  /** Where the metadata says the tarball is; default: the stand-in itself. */
  readonly tarballHost?: string;
  /** Default: the tarball's own. */
  readonly integrity?: string;
  /** Path of the registry on its host. */
  readonly base?: string;
  readonly tarball?: Omit<Page, "body">;
};

/** Puts a package of version 1.0.0 on the stand-in; gives its tarball's path and bytes. */
export function publish(registry: StandIn, publication: Publication) {
  const { name, body, base = "", file = "model.part" } = publication;
  const tgz = packTgz([
    { name: "package/package.json", body: Buffer.from("{}") },
    { name: `package/${file}`, body },
  ]);
  const path = `${base}/${name}/-/${name.replace(/.*\//, "")}-1.0.0.tgz`;
  const integrity =
    publication.integrity ?? `sha512-${createHash("sha512").update(tgz).digest("base64")}`;
  const tarball = `${publication.tarballHost ?? registry.url}${path}`;
  const metadata = { name, versions: { "1.0.0": { dist: { tarball, integrity } } } };
  const { authorization } = publication.tarball ?? {};
  registry.pages.set(`${base}/${name.replace("/", "%2f")}`, {
    body: Buffer.from(JSON.stringify(metadata)),
    ...(authorization === undefined ? {} : { authorization }),
  });
  registry.pages.set(path, { etag: '"one"', ...publication.tarball, body: tgz });
  return { path, tgz };
}

/** A store that waits for nothing; `waits` are the waits it would have made. */
export function storeIn(t: TestContext, options: Partial<WeightsStoreOptions> = {}) {
  const home = temporaryDirectory(t);
  const directory = options.directory ?? join(home, "weights");
  const waits: number[] = [];
  const store = createWeightsStore({
    projectDirectory: home,
    random: () => 1,
    async wait(milliseconds, signal) {
      waits.push(milliseconds);
      await setImmediate(undefined, { signal });
    },
    ...options,
    directory,
    environment: { HOME: home, ...options.environment },
  });
  return { store, directory, waits, home };
}

/** Names of all files below, without their folders. */
export function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();
}
