export { askOverSocket, type SocketAnswer, type SocketQuestion } from "./ask-over-socket.ts";
export { ClientGone, Exchange, type ExchangeReport } from "./exchange.ts";
export { createRouter, type Route, type Router } from "./router.ts";
export { HttpServer, type HttpServerOptions, type HttpSettings, type Place } from "./server.ts";
export type { SseStream } from "./sse-stream.ts";
