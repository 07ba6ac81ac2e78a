// Loaded into Hearth with --import when a profile is wanted: the first SIGUSR2 starts it, once
// everything is warm, and the end of the process writes it.

import { writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";

const directory = process.env.BENCH_PROFILE_DIRECTORY ?? ".";
const SAMPLE_MICROSECONDS = 500;

process.once("SIGUSR2", () => {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: SAMPLE_MICROSECONDS });
  session.post("Profiler.start");
  process.once("exit", () => {
    session.post("Profiler.stop", (error, result) => {
      if (error !== null) throw error;
      const path = join(directory, `hearth-${process.pid}.cpuprofile`);
      writeFileSync(path, JSON.stringify(result.profile));
    });
  });
});
