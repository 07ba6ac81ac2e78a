// Brings one address into a partial file, going on where an earlier try, or an earlier process,
// broke off. The answer is given only once the digest has been checked, where one is known.

import { serverError, upstreamFailed } from "../call/index.ts";
import {
  discardPartial,
  openPartial,
  type PartialFile,
  type PartialRecord,
} from "./partial-file.ts";
import { type Refusal, refuse } from "./reply-refusal.ts";
import { retrying } from "./retrying.ts";
import type { Patience } from "./settings.ts";
import type { Reply, Transport } from "./transport.ts";

export type Download = {
  readonly url: URL;
  readonly authorization?: string | undefined;
  /** Of the partial file. */
  readonly path: string;
  /** What is at the address, however the address is written. */
  readonly identity: string;
  readonly algorithm: "sha512" | "sha256" | "sha1";
  /** Hex; where it is not known beforehand, the sender may tell it. */
  readonly digest?: string | undefined;
  readonly readDigest?: (reply: Reply) => string | undefined;
  readonly refusal: Refusal;
  readonly onBytes: (doneBytes: number, totalBytes: number | undefined) => void;
};

export type Downloaded = { readonly bytes: number; readonly digest: string };

export type Tools = {
  readonly transport: Transport;
  readonly patience: Patience;
  readonly signal: AbortSignal;
};

/** A try must bring at least so much to count as progress. */
const GAIN_BYTES = 1024 ** 2;

export async function download(order: Download, tools: Tools): Promise<Downloaded> {
  for (;;) {
    const { path, identity, algorithm } = order;
    const partial = await openPartial({ path, identity, algorithm, signal: tools.signal });
    let inherited = false;
    try {
      await complete(partial, order, tools);
      const digest = partial.digest();
      const expected = order.digest ?? partial.record?.toldDigest;
      if (expected === undefined || digest === expected) {
        await partial.sync();
        return { bytes: partial.bytes, digest };
      }
      inherited = partial.inherited;
      await discardPartial(path);
      if (!inherited) throw damaged(order, expected, digest);
      // What an earlier process left may have been torn by a power cut: once more from the start.
    } finally {
      await partial.close();
    }
  }
}

async function complete(partial: PartialFile, order: Download, tools: Tools): Promise<void> {
  let highest = partial.bytes;
  const gained = (): boolean => {
    const more = partial.bytes - highest >= GAIN_BYTES;
    highest = Math.max(highest, partial.bytes);
    return more;
  };
  order.onBytes(partial.bytes, partial.record?.totalBytes);
  await retrying(
    async () => {
      if (!partial.isWhole()) await fetchRest(partial, order, tools);
    },
    { patience: tools.patience, signal: tools.signal, gained },
  );
}

async function fetchRest(partial: PartialFile, order: Download, tools: Tools): Promise<void> {
  const { url, authorization, onBytes } = order;
  const reply = await tools.transport.get({
    url,
    authorization,
    signal: tools.signal,
    headers: rangeHeaders(partial, order),
  });
  const start = contentStart(reply);
  if (reply.status === 416 || (reply.status === 206 && start !== partial.bytes)) {
    await reply.discard();
    await partial.begin({ identity: order.identity });
    throw upstreamFailed(`${url.host} does not go on where ${order.refusal.what} broke off`);
  }
  if (reply.status !== 200 && reply.status !== 206) return refuse(reply, url.host, order.refusal);
  if (reply.status === 200) await partial.begin(recordFrom(reply, order));
  const total = partial.record?.totalBytes;
  onBytes(partial.bytes, total);
  for await (const chunk of reply.chunks()) {
    await partial.append(chunk);
    onBytes(partial.bytes, total);
  }
  if (total === undefined) await partial.end();
  else if (partial.bytes !== total) {
    throw upstreamFailed(
      `${url.host} sent ${partial.bytes} of ${total} bytes of ${order.refusal.what}`,
    );
  }
}

/** Bytes that nothing can be checked against are not gone on with. */
function rangeHeaders(partial: PartialFile, order: Download): Record<string, string> {
  const { bytes, record } = partial;
  const checkable = order.digest ?? record?.toldDigest ?? record?.validator;
  if (bytes === 0 || checkable === undefined) return {};
  const validator = record?.validator;
  return {
    range: `bytes=${bytes}-`,
    ...(validator === undefined ? {} : { "if-range": validator }),
  };
}

function recordFrom(reply: Reply, order: Download): PartialRecord {
  const etag = reply.ownHeader("etag");
  const validator = etag?.startsWith('"') ? etag : reply.ownHeader("last-modified");
  const length = reply.ownHeader("content-length");
  const toldDigest = order.readDigest?.(reply);
  return {
    identity: order.identity,
    ...(validator === undefined ? {} : { validator }),
    ...(length === undefined ? {} : { totalBytes: Number(length) }),
    ...(toldDigest === undefined ? {} : { toldDigest }),
  };
}

function contentStart(reply: Reply): number | undefined {
  const [, start] = /^bytes (\d+)-/.exec(reply.ownHeader("content-range") ?? "") ?? [];
  return start === undefined ? undefined : Number(start);
}

function damaged({ refusal, algorithm, url }: Download, expected: string, found: string): Error {
  return serverError(
    `${refusal.what} came damaged from ${url.host}: its ${algorithm} is ${found}, and should be ${expected}. Nothing of it was kept; pull again, or ask whoever runs ${url.host}`,
  );
}
