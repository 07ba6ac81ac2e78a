import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { request } from "undici";
import { openRaw } from "../../test/support/raw-connection.ts";
import { ServiceError } from "../call/index.ts";
import { ClientGone, type Exchange } from "./exchange.ts";
import { createRouter, type Route } from "./router.ts";
import { HttpServer, type HttpSettings } from "./server.ts";

const settings: HttpSettings = {
  bodyLimit: 1000,
  headerTimeoutMs: 5000,
  bodyTimeoutMs: 5000,
  keepAliveTimeoutMs: 5000,
  writeTimeoutMs: 5000,
  pingMs: 15_000,
  corsOrigins: [],
  maxConnections: 100,
};

const echo: Route = {
  method: "POST",
  path: "/echo",
  handle: async (exchange) => exchange.sendJson(200, JSON.stringify(await exchange.readJson())),
};
const hello: Route = {
  method: "GET",
  path: "/hello",
  handle: (exchange) => exchange.send(200, "text/plain", "hello"),
};

let running: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(running.map((server) => server.stop(0)));
  running = [];
});

async function start(
  routes: readonly Route[] = [echo, hello],
  changes: Partial<HttpSettings> = {},
) {
  const done: { status: number; path: string }[] = [];
  const faults: unknown[] = [];
  const server = new HttpServer({
    settings: { ...settings, ...changes },
    router: createRouter({ routes, notOffered: ["/v1/models"] }),
    renderError: (error, id) =>
      JSON.stringify({ status: error.status, message: error.message, id }),
    onDone: ({ status, path }) => done.push({ status, path }),
    onFault: (error) => faults.push(error),
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  running.push(server);
  return { server, done, faults, port: server.port, url: `http://127.0.0.1:${server.port}` };
}

const post = (body: string, headers = "") =>
  `POST /echo HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n${headers}` +
  `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

describe("routes", () => {
  it("answers an unknown path with 404, and says when a route is not offered", async () => {
    const { url } = await start();
    const unknown = await request(`${url}/nope`);
    assert.equal(unknown.statusCode, 404);
    const absent = await request(`${url}/v1/models`);
    assert.equal(absent.statusCode, 404);
    assert.match(await absent.body.text(), /not offered/);
  });

  it("answers a wrong method with 405 and Allow", async () => {
    const { url } = await start();
    const reply = await request(`${url}/echo`);
    assert.equal(reply.statusCode, 405);
    assert.equal(reply.headers.allow, "POST");
  });

  it("answers a request that names the whole address", async () => {
    const { port } = await start();
    const raw = await openRaw(port);
    raw.send("GET http://h.example/hello?x=1 HTTP/1.1\r\nHost: h.example\r\n\r\n");
    await raw.until("hello");
    raw.destroy();
  });

  it("answers HEAD where it answers GET, without the body", async () => {
    const { url } = await start();
    const reply = await request(`${url}/hello?x=1`, { method: "HEAD" });
    assert.equal(reply.statusCode, 200);
    assert.equal(reply.headers["content-length"], "5");
    assert.equal(await reply.body.text(), "");
  });

  it("hides what a handler throws by mistake, and reports it", async () => {
    const bug: Route = {
      method: "GET",
      path: "/bug",
      handle: () => {
        throw new TypeError("secret detail");
      },
    };
    const { url, faults } = await start([bug]);
    const reply = await request(`${url}/bug`);
    assert.equal(reply.statusCode, 500);
    assert.doesNotMatch(await reply.body.text(), /secret detail/);
    assert.equal(faults.length, 1);
  });

  it("sends the headers and Retry-After of an error", async () => {
    const busy: Route = {
      method: "GET",
      path: "/busy",
      handle: () => {
        throw new ServiceError({
          status: 503,
          type: "overloaded_error",
          message: "full",
          retryAfterSeconds: 1.2,
          headers: { "X-More": "yes" },
        });
      },
    };
    const { url } = await start([busy]);
    const reply = await request(`${url}/busy`);
    assert.equal(reply.headers["retry-after"], "2");
    assert.equal(reply.headers["x-more"], "yes");
  });
});

describe("request ids", () => {
  it("are the caller's when sane, and new otherwise", async () => {
    const { url } = await start();
    const ask = async (id: string) =>
      (await request(`${url}/hello`, { headers: { "x-request-id": id } })).headers["x-request-id"];
    assert.equal(await ask("abc-1.2:3_4"), "abc-1.2:3_4");
    for (const bad of ["a b", "a\tb", "x".repeat(129), "<script>", '"']) {
      assert.match(String(await ask(bad)), /^[0-9a-f-]{36}$/);
    }
  });
});

describe("bodies", () => {
  it("over the declared limit are refused before they are sent", async () => {
    const { port } = await start();
    const raw = await openRaw(port);
    raw.send(
      "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 1001\r\n\r\n",
    );
    assert.match(await raw.until("larger than the limit of 1000 bytes"), /^HTTP\/1\.1 413 /);
    raw.destroy();
  });

  it("over the limit without a declared length are refused while they come", async () => {
    const { port } = await start();
    const raw = await openRaw(port);
    raw.send(
      "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    const piece = "x".repeat(400);
    for (let sent = 0; sent < 3; sent++) raw.send(`190\r\n${piece}\r\n`);
    assert.match(
      await raw.until("larger than the limit"),
      /^HTTP\/1\.1 413 [\s\S]*Connection: close/,
    );
    raw.destroy();
  });

  it("are refused before they are sent when the sender asks first", async () => {
    const { port } = await start();
    const raw = await openRaw(port);
    raw.send(
      "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 5000\r\n\r\n",
    );
    assert.match(await raw.until("larger than"), /^HTTP\/1\.1 413 /);
    const small = await openRaw(port);
    small.send(
      "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n",
    );
    await small.until("100 Continue");
    small.send("{}");
    await small.until("HTTP/1.1 200");
    raw.destroy();
    small.destroy();
  });

  for (const [what, type, body, status, message] of [
    [
      "of another type",
      "text/plain",
      "{}",
      415,
      /Content-Type must be application\/json; got text\/plain/,
    ],
    ["that are empty", "application/json", "", 400, /body is empty/],
    ["that are not JSON", "application/json", "{", 400, /not valid JSON/],
    [
      "that are not UTF-8",
      "application/json",
      Buffer.from([0x22, 0xff, 0x22]),
      400,
      /not valid UTF-8/,
    ],
  ] as const) {
    it(`${what} are refused with the reason`, async () => {
      const { url } = await start();
      const reply = await request(`${url}/echo`, {
        method: "POST",
        headers: { "content-type": type },
        body,
      });
      assert.equal(reply.statusCode, status);
      assert.match(await reply.body.text(), message);
    });
  }

  it("with a charset or of no declared type are told apart", async () => {
    const { url } = await start();
    const send = (headers: Record<string, string>) =>
      request(`${url}/echo`, { method: "POST", headers, body: "{}" });
    assert.equal(
      (await send({ "content-type": "application/json; charset=utf-8" })).statusCode,
      200,
    );
    assert.equal((await send({})).statusCode, 415);
    assert.equal(
      (await send({ "content-type": "application/json", "content-encoding": "gzip" })).statusCode,
      415,
    );
  });
});

describe("connections", () => {
  it("are kept after a reply, also when it refused a short body unread", async () => {
    const refuse: Route = {
      method: "POST",
      path: "/echo",
      handle: () => {
        throw new ServiceError({ status: 401, type: "authentication_error", message: "no" });
      },
    };
    const { port } = await start([hello, refuse]);
    const raw = await openRaw(port);
    for (let n = 1; n <= 3; n++) {
      raw.send(`GET /hello HTTP/1.1\r\nHost: h\r\n\r\n`);
      await raw.until(new RegExp(`(hello[\\s\\S]*){${n}}`));
      raw.send(post('{"n":1}'));
      await raw.until(new RegExp(`("no"[\\s\\S]*){${n}}`));
    }
    assert.doesNotMatch(raw.received(), /Connection: close/);
    raw.destroy();
  });

  it("answer pipelined requests in order, errors among them", async () => {
    const { port } = await start();
    const raw = await openRaw(port);
    raw.send(post('{"n":1}') + post("{") + post('{"n":2}') + post('{"n":3}'));
    const text = await raw.until('{"n":3}');
    const order = [...text.matchAll(/HTTP\/1\.1 (\d+)|"n":(\d)/g)].map((m) => m[1] ?? `n${m[2]}`);
    assert.deepEqual(order, ["200", "n1", "400", "200", "n2", "200", "n3"]);
    raw.destroy();
  });

  it("that send no headers in time are cut with 408", async () => {
    const { port } = await start([hello], { headerTimeoutMs: 30 });
    const raw = await openRaw(port);
    raw.send("GET /hello HTTP/1.1\r\nHost:");
    assert.match(await raw.closed(), /^HTTP\/1\.1 408 [\s\S]*did not arrive in time/);
  });

  it("that send no body in time are cut", async () => {
    const { port } = await start([echo], { headerTimeoutMs: 30, bodyTimeoutMs: 30 });
    const raw = await openRaw(port);
    raw.send(post('{"n":1}').slice(0, -3));
    assert.match(await raw.closed(), /408|^$/);
  });

  it("that do not speak HTTP get a 400 in the error shape", async () => {
    const { port } = await start();
    const raw = await openRaw(port);
    raw.send("\x16\x03\x01 nonsense\r\n\r\n");
    assert.match(await raw.closed(), /^HTTP\/1\.1 400 [\s\S]*not valid HTTP/);
  });

  it("with huge headers get a 431", async () => {
    const { port } = await start();
    const raw = await openRaw(port);
    raw.send(`GET /hello HTTP/1.1\r\nHost: h\r\nX-Big: ${"x".repeat(40_000)}\r\n\r\n`);
    assert.match(await raw.until("431"), /^HTTP\/1\.1 431 /);
    raw.destroy();
  });
});

describe("a caller that goes away", () => {
  it("aborts the signal of its exchange", async () => {
    let seen: (exchange: Exchange) => void;
    const started = new Promise<Exchange>((resolve) => {
      seen = resolve;
    });
    const hang: Route = {
      method: "GET",
      path: "/hang",
      handle: (exchange) =>
        new Promise((_, reject) => {
          exchange.signal.addEventListener("abort", () => reject(exchange.signal.reason));
          seen(exchange);
        }),
    };
    const { port, faults } = await start([hang]);
    const raw = await openRaw(port);
    raw.send("GET /hang HTTP/1.1\r\nHost: h\r\n\r\n");
    const exchange = await started;
    const aborted = new Promise((resolve) => exchange.signal.addEventListener("abort", resolve));
    raw.destroy();
    await aborted;
    assert.ok(exchange.signal.reason instanceof ClientGone);
    assert.equal(exchange.status, 499);
    assert.deepEqual(faults, []);
  });
});

describe("cross-origin requests", () => {
  it("are allowed for the named origins only", async () => {
    const { url } = await start([echo, hello], { corsOrigins: ["https://a.example"] });
    const from = (origin: string, method: "GET" | "OPTIONS" = "GET") =>
      request(`${url}/hello`, { method, headers: { origin } });
    const good = await from("https://a.example");
    assert.equal(good.headers["access-control-allow-origin"], "https://a.example");
    assert.match(String(good.headers["access-control-expose-headers"]), /X-Request-Id/);
    const bad = await from("https://b.example");
    assert.equal(bad.headers["access-control-allow-origin"], undefined);
    const preflight = await from("https://a.example", "OPTIONS");
    assert.equal(preflight.statusCode, 204);
    assert.equal(preflight.headers["access-control-allow-methods"], "GET, HEAD");
    assert.equal((await from("https://b.example", "OPTIONS")).statusCode, 405);
  });
});

describe("stopping", () => {
  const gate = () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { open, opened };
  };

  it("lets what runs finish, then closes", async () => {
    const entered = gate();
    const finish = gate();
    const slow: Route = {
      method: "GET",
      path: "/slow",
      handle: async (exchange) => {
        entered.open();
        await finish.opened;
        exchange.send(200, "text/plain", "done");
      },
    };
    const { server, url, port } = await start([slow]);
    const reply = request(`${url}/slow`);
    await entered.opened;
    const stopped = server.stop(60_000);
    await assert.rejects(openRaw(port));
    finish.open();
    assert.equal(await (await reply).body.text(), "done");
    await stopped;
  });

  it("ends what still runs after the grace with 503", async () => {
    const entered = gate();
    const forever: Route = {
      method: "GET",
      path: "/forever",
      handle: (exchange) =>
        new Promise((_, reject) => {
          exchange.signal.addEventListener("abort", () => reject(exchange.signal.reason));
          entered.open();
        }),
    };
    const { server, url } = await start([forever]);
    const reply = request(`${url}/forever`);
    await entered.opened;
    await server.stop(30);
    assert.equal((await reply).statusCode, 503);
  });
});
