// What a supervised process may see of our environment: what programs need to run, and nothing
// that could be somebody's secret. A list of names and not of exceptions, because nobody knows
// under which name the next key is kept.

const NAMES = new Set([
  "PATH",
  "HOME",
  "LANG",
  "LC_ALL",
  "TZ",
  "TMPDIR",
  "TEMP",
  "TMP",
  "SYSTEMROOT",
  "LD_LIBRARY_PATH",
  "DYLD_LIBRARY_PATH",
]);

/** Which graphics cards a model may use, and where their drivers are. */
const PREFIXES = ["CUDA_", "NVIDIA_", "VK_", "GGML_"];

export function childEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) =>
        NAMES.has(name.toUpperCase()) || PREFIXES.some((prefix) => name.startsWith(prefix)),
    ),
  );
}
