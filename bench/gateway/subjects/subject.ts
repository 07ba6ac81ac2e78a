// Something that answers chat requests and is measured: a process, where it listens, and how
// it wants to be called.

export type Subject = {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly model: string;
  /** Not ours: where it fails, the run goes on without it. */
  readonly foreign?: boolean;
  /** Told when the warm-up is over. */
  warm?(): void;
  stop(): Promise<void>;
};
