// The ledger's write-ahead journal: one synchronous append an entry, into numbered segment
// files. A written line is in the kernel's hands, so it survives the death of this process;
// a background sync brings it to the disk. Segments leave once the database has them.

import { close, fdatasync, openSync, readdirSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { encodeLine } from "./journal-line.ts";
import type { LedgerEntry } from "./store.ts";
import { JournalRefused } from "./store-errors.ts";

const SEGMENT = /^(\d{12})\.journal/;
const DEFAULT_SEGMENT_BYTES = 4 * 1024 ** 2;

const syncToDisk = promisify(fdatasync);
const closeFile = promisify(close);

export type JournalOptions = {
  /** Must exist, and belong to this process alone. Segments in it are taken over. */
  readonly directory: string;
  /** Most bytes held in segments that the database does not have yet. */
  readonly limitBytes: number;
  /** A segment of this size is sealed without being asked. */
  readonly segmentBytes?: number;
  readonly onSegmentFull?: () => void;
  readonly onProblem: (problem: Error) => void;
  readonly write?: (file: number, lines: string) => number;
};

export interface Journal {
  /** What the database does not have yet. */
  heldBytes(): number;
  /** Throws a JournalRefused when the entries are not safely in the journal. */
  append(entries: readonly LedgerEntry[]): void;
  /** Ends the segment that is being written; answers with every segment held, oldest first. */
  seal(): readonly string[];
  /** The database has these segments, and their files are gone. */
  forget(segments: readonly string[]): void;
  /** Brings what was appended to the disk, in the background. */
  sync(): void;
  isEmpty(): boolean;
  close(): Promise<void>;
}

export function openJournal(options: JournalOptions): Journal {
  const { directory, limitBytes, onProblem } = options;
  const segmentBytes = options.segmentBytes ?? DEFAULT_SEGMENT_BYTES;
  const write = options.write ?? ((file, line) => writeSync(file, line));

  const names = readdirSync(directory)
    .filter((name) => SEGMENT.test(name))
    .sort();
  // Damaged segments that were set aside keep their number, so none is given out twice.
  let nextNumber = Number(SEGMENT.exec(names.at(-1) ?? "")?.[1] ?? 0) + 1;
  const sealed = new Map(
    names
      .filter((name) => name.endsWith(".journal"))
      .map((name) => join(directory, name))
      .map((path) => [path, statSync(path).size]),
  );
  let heldBytes = [...sealed.values()].reduce((sum, bytes) => sum + bytes, 0);
  let current: { readonly path: string; readonly file: number; bytes: number } | undefined;
  let background = Promise.resolve();
  let syncWaiting = false;

  function open() {
    const path = join(directory, `${String(nextNumber).padStart(12, "0")}.journal`);
    try {
      const file = openSync(path, "ax", 0o600);
      nextNumber += 1;
      return { path, file, bytes: 0 };
    } catch (cause) {
      throw new JournalRefused("the ledger's journal cannot be opened", { cause });
    }
  }

  function inBackground(work: () => Promise<void>) {
    background = background.then(work).catch((cause) => {
      onProblem(new Error("the ledger's journal cannot be brought to the disk", { cause }));
    });
  }

  function sealCurrent() {
    if (current === undefined || current.bytes === 0) return;
    const { path, file, bytes } = current;
    sealed.set(path, bytes);
    current = undefined;
    inBackground(() => syncToDisk(file).finally(() => closeFile(file)));
  }

  return {
    append(entries) {
      let lines = "";
      for (const entry of entries) lines += encodeLine(entry);
      if (heldBytes + lines.length > limitBytes) {
        throw new JournalRefused(
          `the ledger's journal holds its limit of ${limitBytes} bytes: the database has not taken entries for too long`,
        );
      }
      current ??= open();
      let written: number;
      try {
        written = write(current.file, lines);
      } catch (cause) {
        throw new JournalRefused("the ledger's journal cannot be written", { cause });
      }
      current.bytes += written;
      heldBytes += written;
      if (written < lines.length) {
        // A torn line may only be the last of its segment, or a reader could not tell it
        // from damage.
        sealCurrent();
        throw new JournalRefused("the ledger's journal took half an entry: is the disk full?");
      }
      if (current.bytes >= segmentBytes) {
        sealCurrent();
        options.onSegmentFull?.();
      }
    },

    seal() {
      sealCurrent();
      return [...sealed.keys()];
    },

    forget(segments) {
      for (const path of segments) {
        heldBytes -= sealed.get(path) ?? 0;
        sealed.delete(path);
      }
    },

    sync() {
      if (current === undefined || syncWaiting) return;
      const { file } = current;
      syncWaiting = true;
      inBackground(() =>
        syncToDisk(file).finally(() => {
          syncWaiting = false;
        }),
      );
    },

    heldBytes: () => heldBytes,
    isEmpty: () => sealed.size === 0 && (current === undefined || current.bytes === 0),

    async close() {
      sealCurrent();
      if (current !== undefined) {
        const { file } = current;
        current = undefined;
        inBackground(() => closeFile(file));
      }
      await background;
    },
  };
}
