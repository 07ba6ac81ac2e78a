export { createOutputReader, type OutputReaderOptions } from "./create-output-reader.ts";
