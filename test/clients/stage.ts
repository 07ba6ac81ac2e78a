// What a behaviour is played on: one library, the Hearth it talks to, and the two ways in
// which everything can be asked.

import { after, before } from "node:test";
import type { Answer, Ask, Client, Library } from "./client.ts";
import { SMALL, startTestBed, type TestBed } from "./test-bed.ts";

export type ClientOptions = {
  /** The model whose key is used; default: the small one. */
  readonly model?: string;
  readonly key?: string;
  /** The library's own retries; default none. */
  readonly retries?: number;
};

export type Stage = {
  readonly library: Library;
  /** Stands only while tests run. */
  readonly bed: TestBed;
  client(options?: ClientOptions): Promise<Client>;
};

/** Sets up and tears down around the tests of the `describe` it is called in. */
export function setStage(library: Library): Stage {
  let bed: TestBed | undefined;
  before(async () => {
    bed = await startTestBed();
  });
  after(() => bed?.stop());
  return {
    library,
    get bed() {
      if (bed === undefined) throw new Error("the test bed stands only while tests run");
      return bed;
    },
    async client({ model = SMALL, key, retries = 0 } = {}) {
      const { baseUrl } = this.bed;
      return library.connect({ baseUrl, key: key ?? (await this.bed.key(model)), retries });
    },
  };
}

export type Way = {
  readonly way: string;
  send(client: Client, ask: Ask): Promise<Answer>;
};

/** What must hold whole and streamed is tested both ways. */
export const WAYS: readonly Way[] = [
  { way: "whole", send: (client, ask) => client.ask(ask) },
  { way: "streamed", send: (client, ask) => client.stream(ask) },
];
