// Shows Buckets to a prom-client registry as a histogram. prom-client has no way to set a
// histogram's numbers from outside, so this one answers the registry's question itself; its
// test fails if an upgrade of prom-client asks differently.

import { Histogram, type Registry } from "prom-client";
import type { Buckets, Labels } from "./buckets.ts";

type Sample = {
  readonly metricName: string;
  readonly labels: Labels;
  readonly sharedLabels: Labels;
  readonly value: number;
};

export type BucketHistogramOptions = {
  readonly name: string;
  readonly help: string;
  readonly registry: Registry;
  readonly series: () => Iterable<Buckets>;
};

export class BucketHistogram extends Histogram {
  readonly #options: BucketHistogramOptions;

  constructor(options: BucketHistogramOptions) {
    super({ name: options.name, help: options.help, registers: [options.registry] });
    this.#options = options;
  }

  async getForPromString(): Promise<{
    name: string;
    help: string;
    type: "histogram";
    values: readonly Sample[];
  }> {
    const { name, help, series } = this.#options;
    const values = [...series()].flatMap((buckets) => samples(name, buckets));
    return { name, help, type: "histogram", values };
  }
}

function samples(name: string, { labels, bounds, counts, sum, count }: Buckets): Sample[] {
  let below = 0;
  const lines = Array.from(counts, (inBucket, index): Sample => {
    below += inBucket;
    const le = String(bounds[index] ?? "+Inf");
    return { metricName: `${name}_bucket`, labels: { le }, sharedLabels: labels, value: below };
  });
  lines.push(
    { metricName: `${name}_sum`, labels: {}, sharedLabels: labels, value: sum },
    { metricName: `${name}_count`, labels: {}, sharedLabels: labels, value: count },
  );
  return lines;
}
