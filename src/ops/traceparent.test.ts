import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTraceparent, parseTraceparent } from "./traceparent.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

test("a header of the W3C form is read and written back unchanged", () => {
  for (const flags of ["00", "01"]) {
    const header = `00-${TRACE}-${SPAN}-${flags}`;
    const parsed = parseTraceparent(header);
    assert.deepEqual(parsed, { traceId: TRACE, spanId: SPAN, sampled: flags === "01" });
    assert.ok(parsed);
    assert.equal(formatTraceparent(parsed), header);
  }
});

test("only the lowest flag means sampled", () => {
  assert.equal(parseTraceparent(`00-${TRACE}-${SPAN}-03`)?.sampled, true);
  assert.equal(parseTraceparent(`00-${TRACE}-${SPAN}-fe`)?.sampled, false);
});

test("a later version with further fields is read as far as it is known", () => {
  assert.equal(parseTraceparent(`cc-${TRACE}-${SPAN}-01-what-comes-next`)?.traceId, TRACE);
});

for (const [why, header] of Object.entries({
  "is absent": undefined,
  "is empty": "",
  "has version ff": `ff-${TRACE}-${SPAN}-01`,
  "has a trace id of zeros": `00-${"0".repeat(32)}-${SPAN}-01`,
  "has a span id of zeros": `00-${TRACE}-${"0".repeat(16)}-01`,
  "has capital letters": `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  "has version 00 and further fields": `00-${TRACE}-${SPAN}-01-more`,
  "is cut short": `00-${TRACE}-${SPAN}`,
  "carries a second line": `00-${TRACE}-${SPAN}-01\r\nx: y`,
})) {
  test(`a header that ${why} is none`, () => {
    assert.equal(parseTraceparent(header), undefined);
  });
}
