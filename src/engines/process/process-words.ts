// The few words that every supervised process knows, whatever else it does. It is sent a first
// command of its own kind, answers that it is loaded or why it cannot be, gives a sign of life
// when asked, and ends when told. Everything else it says is for whoever uses it.

export type SupervisorCommand =
  | { readonly type: "ask"; readonly nonce: number }
  | { readonly type: "stop" };

export type StartReport =
  | { readonly type: "loaded" }
  | { readonly type: "load-failed"; readonly message: string };

/** Undefined: the message is about something else. */
export function readStartReport(message: unknown): StartReport | undefined {
  if (typeof message !== "object" || message === null || !("type" in message)) return undefined;
  if (message.type === "loaded") return { type: "loaded" };
  if (message.type !== "load-failed") return undefined;
  const why = "message" in message && typeof message.message === "string" ? message.message : "";
  return { type: "load-failed", message: why === "" ? "no reason given" : why };
}
