// What stands before an engine in tests: a call, a sink that remembers, and a clock that is
// turned by hand. Each test says only what matters to it.

import type { Call, CallEvent, EventSink } from "../../src/call/index.ts";
import type { UpstreamConfig } from "../../src/config/index.ts";

export function createTestCall(overrides: Partial<Call> = {}): Call {
  return {
    id: "req-1",
    model: "public-id",
    caller: "resource-1",
    system: [],
    messages: [{ role: "user", parts: [{ type: "text", text: "Hello" }] }],
    tools: [],
    toolChoice: { type: "none" },
    parallelToolCalls: true,
    sampling: { temperature: 0.5, topP: 0.9, stop: [] },
    maxOutputTokens: 100,
    format: { type: "text" },
    promptCaching: true,
    stream: false,
    ...overrides,
  };
}

/** Keeps every event. While it is stuck it says that its reader is behind. */
export class RecordingSink implements EventSink {
  readonly events: CallEvent[] = [];
  #room: PromiseWithResolvers<void> | undefined;
  #firstEvent = Promise.withResolvers<void>();

  write(event: CallEvent): boolean {
    this.events.push(event);
    this.#firstEvent.resolve();
    return this.#room === undefined;
  }

  drained(): Promise<void> {
    return this.#room?.promise ?? Promise.resolve();
  }

  firstEvent(): Promise<void> {
    return this.#firstEvent.promise;
  }

  stick(): void {
    this.#room ??= Promise.withResolvers();
  }

  release(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  get text(): string {
    return this.events.map((event) => (event.type === "text" ? event.text : "")).join("");
  }
}

type Alarm = { readonly at: number; readonly callback: () => void };

export class ManualClock {
  #now = 1_700_000_000_000;
  readonly #alarms = new Set<Alarm>();
  #waiters: (() => void)[] = [];

  readonly now = (): number => this.#now;

  readonly after = (milliseconds: number, callback: () => void): (() => void) => {
    const alarm = { at: this.#now + milliseconds, callback };
    this.#alarms.add(alarm);
    for (const waiter of this.#waiters.splice(0)) waiter();
    return () => this.#alarms.delete(alarm);
  };

  /** Milliseconds until each alarm that is set. */
  get pending(): readonly number[] {
    return [...this.#alarms].map((alarm) => alarm.at - this.#now).sort((a, b) => a - b);
  }

  /** Resolves when something waits for this clock. */
  async alarmSet(): Promise<void> {
    if (this.#alarms.size > 0) return;
    await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
    for (const alarm of [...this.#alarms].sort((a, b) => a.at - b.at)) {
      if (alarm.at > this.#now || !this.#alarms.delete(alarm)) continue;
      alarm.callback();
    }
  }
}

/** The defaults of the `upstream` section. */
export function createTestUpstream(overrides: Partial<UpstreamConfig> = {}): UpstreamConfig {
  return {
    connect_timeout: "5s",
    first_byte_timeout: "10m",
    idle_timeout: "5m",
    connections: 256,
    max_queue: 1024,
    attempts: 3,
    retry_delay: "100ms",
    retry_limit: "5s",
    breaker_failures: 5,
    breaker_cooldown: "2s",
    breaker_cooldown_limit: "60s",
    max_reply: "64MiB",
    ...overrides,
  };
}
