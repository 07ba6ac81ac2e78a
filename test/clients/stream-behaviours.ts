// What is true of streams only: how they are cut, when they arrive, and how they end.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rawStream } from "../support/mock-upstream-behaviours.ts";
import { reply } from "../support/mock-upstream-reply.ts";
import type { Stage } from "./stage.ts";
import { answer, frame } from "./upstream-answers.ts";

export function streamBehaviours(stage: Stage): void {
  test("a stream's pieces are the upstream's pieces, and it finishes exactly once", async () => {
    const pieces = ["One", " two", "", " three"];
    stage.bed.script(answer({ pieces }));
    const said = await (await stage.client()).stream({ messages: "Count" });
    assert.deepEqual(
      said.pieces.filter((piece) => piece !== ""),
      ["One", " two", " three"],
    );
    assert.equal(said.pieces.join(""), said.text);
    assert.deepEqual(said.finishReasons, ["stop"]);
  });

  test("a piece arrives while the upstream is still writing the rest", async () => {
    const seen = Promise.withResolvers<void>();
    let words = 0;
    const beforeWord = (): Promise<void> => {
      words += 1;
      // The first frame only opens the stream; the second word waits for the reader.
      return words > 2 ? seen.promise : Promise.resolve();
    };
    stage.bed.script(reply({ text: "first second", beforeWord }));
    const client = await stage.client();
    const said = await client.stream({ messages: "Count" }, () => seen.resolve());
    assert.equal(said.text, "first second");
  });

  test("a character that the network cuts in two arrives whole", async () => {
    const bytes = Buffer.from(`${frame("naïve 漢字 🚀")}${frame("!")}`);
    const cuts = [bytes.indexOf("ï") + 1, bytes.indexOf("字") + 2, bytes.indexOf("🚀") + 3];
    const finish = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
    stage.bed.script(
      rawStream(
        bytes.subarray(0, cuts[0]),
        bytes.subarray(cuts[0], cuts[1]),
        bytes.subarray(cuts[1], cuts[2]),
        bytes.subarray(cuts[2]),
        `${finish}data: [DONE]\n\n`,
      ),
    );
    const said = await (await stage.client()).stream({ messages: "Write" });
    assert.equal(said.text, "naïve 漢字 🚀!");
  });

  test("a long stream loses nothing", async () => {
    const pieces = Array.from({ length: 2000 }, (_, index) => ` ${index}`);
    stage.bed.script(answer({ pieces }));
    const said = await (await stage.client()).stream({ messages: "Count" });
    assert.equal(said.text, pieces.join(""));
    assert.equal(said.pieces.length, pieces.length);
  });

  test("many streams on one client do not mix", async () => {
    const client = await stage.client();
    const texts = Array.from({ length: 20 }, (_, index) => `stream ${index} says ${index * 7}`);
    const said = await Promise.all(texts.map((text) => client.stream({ messages: text })));
    assert.deepEqual(
      said.map(({ text }) => text),
      texts,
    );
    assert.equal(new Set(said.map(({ id }) => id)).size, texts.length);
  });
}
