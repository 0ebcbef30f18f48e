import { type GlyphPool, makeGlyphPool } from "./glyph-pool.ts"
import { type LinkPool, makeLinkPool } from "./link-pool.ts"
import { makeStylePool, type StylePool } from "./style-pool.ts"
import { currentWidths, type Widths } from "./width.ts"

/**
 * What the ids in frames stand for. All frames of a process share the pools; ids of two generations say nothing about
 * each other, so the frame after a renewal is drawn in full.
 */
export interface Pools {
  readonly generation: number
  readonly widths: Widths
  readonly glyphs: GlyphPool
  readonly styles: StylePool
  readonly links: LinkPool
}

export const POOL_LIMITS = { glyphs: 65_536, styles: 16_384, links: 8_192 }

const makeGeneration = (generation: number): Pools => {
  const widths = currentWidths()
  return { generation, widths, glyphs: makeGlyphPool(widths), styles: makeStylePool(), links: makeLinkPool() }
}

export const makePools = (): Pools => makeGeneration(1)

/** How full the pools are, for the counters. */
export interface PoolSizes {
  readonly generation: number
  readonly glyphs: number
  readonly styles: number
  readonly links: number
}

export const poolSizes = ({ generation, glyphs, styles, links }: Pools): PoolSizes => ({
  generation,
  glyphs: glyphs.size(),
  styles: styles.size(),
  links: links.size()
})

/** The pools for the next frame: the same until one is past its limit or the widths have changed, then empty ones. */
export const renewPools = (pools: Pools): Pools => {
  const sizes = poolSizes(pools)
  const full = sizes.glyphs > POOL_LIMITS.glyphs || sizes.styles > POOL_LIMITS.styles || sizes.links > POOL_LIMITS.links
  return full || pools.widths !== currentWidths() ? makeGeneration(pools.generation + 1) : pools
}
