// A server for the tests of this folder that stands in for a registry, a hub and a content
// network: pages by path, ranges, redirects, and faults in the order they are asked for.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

export type Fault =
  /** The connection breaks after so many bytes of the body; once the promise resolves. */
  | { readonly cutAfter: number; readonly once?: Promise<void> }
  /** So many bytes come, and then nothing, until the promise resolves. */
  | { readonly stallAfter: number; readonly until: Promise<void> }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

export type Page = {
  readonly body?: Buffer;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly etag?: string;
  /** Default true. */
  readonly ranges?: boolean;
  /** The Authorization header it wants; without it 401. */
  readonly authorization?: string;
  /** One for each request, the first first. */
  readonly faults?: (Fault | undefined)[];
};

export type SeenRequest = {
  readonly path: string;
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  readonly authorization: string | undefined;
};

export type StandIn = {
  readonly url: string;
  readonly pages: Map<string, Page>;
  readonly requests: SeenRequest[];
  requestsFor(path: string): SeenRequest[];
};

export async function startStandIn(t: TestContext): Promise<StandIn> {
  const pages = new Map<string, Page>();
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const { range, authorization } = request.headers;
    const ifRange = request.headers["if-range"]?.toString();
    requests.push({ path, range, ifRange, authorization });
    answer(request, response, pages.get(path)).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    pages,
    requests,
    requestsFor: (path) => requests.filter((request) => request.path === path),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  page: Page | undefined,
): Promise<void> {
  const fault = page?.faults?.shift();
  if (page === undefined || (fault !== undefined && "status" in fault)) {
    response.writeHead(fault !== undefined && "status" in fault ? fault.status : 404, {
      ...(fault !== undefined && "status" in fault ? fault.headers : {}),
    });
    response.end();
    return;
  }
  if (page.authorization !== undefined && page.authorization !== request.headers.authorization) {
    response.writeHead(401).end();
    return;
  }
  const { status, headers, body } = part(request, page);
  response.writeHead(status, { ...headers, "content-length": body.length });
  if (fault === undefined) {
    response.end(body);
    return;
  }
  const most = "cutAfter" in fault ? fault.cutAfter : fault.stallAfter;
  await new Promise<void>((resolve) => response.write(body.subarray(0, most), () => resolve()));
  if ("until" in fault) {
    await fault.until;
    response.end(body.subarray(most));
    return;
  }
  await fault.once;
  response.destroy();
}

function part(request: IncomingMessage, page: Page) {
  const whole = page.body ?? Buffer.alloc(0);
  const headers: Record<string, string> = { ...page.headers };
  if (page.etag !== undefined) headers.etag = page.etag;
  const [, start] = /^bytes=(\d+)-$/.exec(request.headers.range ?? "") ?? [];
  const ifRange = request.headers["if-range"];
  const isSame = ifRange === undefined || ifRange === page.etag;
  if (start === undefined || page.ranges === false || !isSame || page.status !== undefined) {
    return { status: page.status ?? 200, headers, body: whole };
  }
  const from = Number(start);
  if (from >= whole.length) {
    headers["content-range"] = `bytes */${whole.length}`;
    return { status: 416, headers, body: Buffer.alloc(0) };
  }
  headers["content-range"] = `bytes ${from}-${whole.length - 1}/${whole.length}`;
  return { status: 206, headers, body: whole.subarray(from) };
}
