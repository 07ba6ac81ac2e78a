// Calls that wait for a slot. Callers take turns, so that one who sends a hundred calls does not
// make another who sends one wait for all of them.

export class CallQueue<T> {
  /** Callers in order of their turn. */
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(caller: string, item: T): void {
    const items = this.#waiting.get(caller);
    if (items === undefined) this.#waiting.set(caller, [item]);
    else items.push(item);
    this.#size += 1;
  }

  take(): T | undefined {
    for (const [caller, items] of this.#waiting) {
      const item = items.shift();
      this.#waiting.delete(caller);
      if (items.length > 0) this.#waiting.set(caller, items);
      if (item === undefined) continue;
      this.#size -= 1;
      return item;
    }
    return undefined;
  }

  remove(caller: string, item: T): void {
    const items = this.#waiting.get(caller);
    const index = items?.indexOf(item) ?? -1;
    if (items === undefined || index === -1) return;
    items.splice(index, 1);
    if (items.length === 0) this.#waiting.delete(caller);
    this.#size -= 1;
  }
}
