// The memory that models inside may take together. Before one is loaded, idle ones make room,
// those first that were unused for longest; what still does not fit is refused with 503, since
// the kernel's way of refusing would be to kill somebody.

import { overloaded } from "../../call/index.ts";

/** One who takes a share of the budget while it is loaded. */
export interface BudgetHolder {
  readonly name: string;
  /** Loaded, and nobody uses it or waits for it. */
  readonly idle: boolean;
  /** Epoch milliseconds. */
  readonly lastUsedAt: number;
  /** Resolves when its memory is free; it has released its share by then. */
  unload(): Promise<void>;
}

export interface MemoryBudget {
  /** Takes a share, after idle holders made room; rejects with 503 where it does not fit. */
  reserve(holder: BudgetHolder, bytes: number): Promise<void>;
  /** What the holder really takes, when that is known. */
  resize(holder: BudgetHolder, bytes: number): void;
  release(holder: BudgetHolder): void;
  readonly usedBytes: number;
}

const RETRY_SECONDS = 10;

/** `totalBytes` null: no bound. */
export function createMemoryBudget(totalBytes: number | null): MemoryBudget {
  const limit = totalBytes ?? Number.POSITIVE_INFINITY;
  const shares = new Map<BudgetHolder, number>();
  let lastTurn: Promise<void> = Promise.resolve();

  const used = (): number => [...shares.values()].reduce((sum, bytes) => sum + bytes, 0);

  const longestIdle = (besides: BudgetHolder): BudgetHolder | undefined =>
    [...shares.keys()]
      .filter((holder) => holder !== besides && holder.idle)
      .sort((a, b) => a.lastUsedAt - b.lastUsedAt)[0];

  const makeRoom = async (holder: BudgetHolder, bytes: number): Promise<void> => {
    shares.delete(holder);
    // What no unloading could make fit must not cost the others their place.
    if (bytes > limit) throw tooLarge(holder.name, bytes, limit);
    while (used() + bytes > limit) {
      const idle = longestIdle(holder);
      if (idle === undefined) throw noRoom(holder.name, bytes, limit - used());
      await idle.unload();
      shares.delete(idle);
    }
    shares.set(holder, bytes);
  };

  return {
    reserve(holder, bytes) {
      // One at a time: two that make room together would count the same room twice.
      const turn = lastTurn.then(() => makeRoom(holder, bytes));
      lastTurn = turn.catch(() => undefined);
      return turn;
    },
    resize(holder, bytes) {
      if (shares.has(holder)) shares.set(holder, bytes);
    },
    release: (holder) => void shares.delete(holder),
    get usedBytes() {
      return used();
    },
  };
}

const tooLarge = (name: string, bytes: number, limit: number): Error =>
  overloaded(
    `${name} needs ${inMiB(bytes)} of memory, and all models together may take ${inMiB(limit)} here (local.memory)`,
    RETRY_SECONDS,
  );

const noRoom = (name: string, bytes: number, left: number): Error =>
  overloaded(
    `${name} needs ${inMiB(bytes)} of memory, and the models that are running leave ${inMiB(Math.max(0, left))}; try again when they are idle`,
    RETRY_SECONDS,
  );

const inMiB = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2)} MiB`;
