/** Samples and what is said of them. */

/** @typedef {{ readonly median: number, readonly p90: number }} Summary */

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]

/** @returns {Summary} */
export const summarise = (samples) => {
  const sorted = [...samples].sort((left, right) => left - right)
  return { median: at(sorted, 0.5), p90: at(sorted, 0.9) }
}

/**
 * Takes turns between the runners, round after round, so that whatever else the machine does falls on all of them
 * alike. The first rounds warm the disk cache and are thrown away.
 */
export const interleave = async ({ rounds, warmups = 2 }, runners) => {
  const samples = Object.fromEntries(Object.keys(runners).map((name) => [name, []]))
  for (let round = -warmups; round < rounds; round++) {
    for (const [name, runner] of Object.entries(runners)) {
      const sample = await runner()
      if (round >= 0) samples[name].push(sample)
    }
  }
  return samples
}

/** A summary of one field of the samples. */
export const summariseBy = (samples, field) => summarise(samples.map((sample) => sample[field]))
