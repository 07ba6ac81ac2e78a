// Who is here now, for things that come and go thousands of times a second. A Set would do the
// same, but each time it grows or shrinks it leaves its old table behind pointing at the new
// one, and through that chain everything that ever was in it outlives the collections of the
// young: measured here at a tenth of all CPU time. An array that fills its gaps keeps nothing.

export interface Rostered {
  /** Its place on the roster; -1 when it is on none. */
  place: number;
}

export class Roster<T extends Rostered> implements Iterable<T> {
  readonly #present: T[] = [];

  get size(): number {
    return this.#present.length;
  }

  add(one: T): void {
    if (one.place !== -1) return;
    one.place = this.#present.length;
    this.#present.push(one);
  }

  remove(one: T): void {
    const { place } = one;
    const last = this.#present.at(-1);
    if (place === -1 || last === undefined) return;
    this.#present[place] = last;
    last.place = place;
    this.#present.pop();
    one.place = -1;
  }

  /** Over those present at this moment: they may leave meanwhile. */
  [Symbol.iterator](): Iterator<T> {
    return [...this.#present][Symbol.iterator]();
  }
}
