// Libraries open connections ahead of need, or again after an abort, and then send nothing on
// them. Such a connection must not hold up the end of the service.

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { startHearth } from "../support/hearth.ts";

test("a connection that never asked for anything does not hold up the stop", async () => {
  const hearth = await startHearth({ shutdown: { grace: "2s" } });
  const { hostname, port } = new URL(hearth.url);
  const accepted = connect({ host: hostname, port: Number(port) });
  accepted.on("error", () => {});
  await once(accepted, "connect");
  // The server has taken the connection once it has answered a later one.
  await fetch(`${hearth.url}/livez`, { headers: { connection: "close" } });
  const stoppedAt = performance.now();
  await hearth.stop();
  assert.ok(performance.now() - stoppedAt < 1000);
});
