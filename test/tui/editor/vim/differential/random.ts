/** A small seeded source of choices: the same seed gives the same script on every machine. */
export interface Random {
  /** 0 to limit - 1. */
  readonly below: (limit: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <A>(choices: ReadonlyArray<A>) => A
  readonly times: <A>(least: number, most: number, make: () => A) => ReadonlyArray<A>
}

export const randomFrom = (seed: number): Random => {
  let state = Math.imul(seed, 0x9e3779b1) | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (choices) => {
      const chosen = choices[below(choices.length)]
      if (chosen === undefined) throw new Error("nothing to choose from")
      return chosen
    },
    times: (least, most, make) => Array.from({ length: least + below(most - least + 1) }, make)
  }
}
