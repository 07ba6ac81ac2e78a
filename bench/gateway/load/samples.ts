// Measured times, gathered without cost and asked for their percentiles at the end.

export class Samples {
  #values = new Float64Array(4096);
  #count = 0;

  add(value: number): void {
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(this.#count * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#count] = value;
    this.#count += 1;
  }

  clear(): void {
    this.#count = 0;
  }

  percentiles(): { readonly p50: number; readonly p99: number } {
    const sorted = this.#values.slice(0, this.#count).sort();
    const at = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return { p50: at(0.5), p99: at(0.99) };
  }
}
