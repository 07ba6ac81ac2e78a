// Loaded into every supervised process before its own module: when the service is gone, however
// it went, the process goes too. SIGKILL, because exit handlers of native code may hang, and
// there is nobody left to whom an orderly end would matter.

process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
