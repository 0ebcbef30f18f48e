/**
 * Rows of blocks as they were laid out, by everything they depend on: the block in its revision, the fold and the
 * options. It is bounded and forgets what was used longest ago, so a long session costs memory only for what is on
 * screen and around it.
 */
import type { Row } from "../../../screen/style/row.ts"
import { type Block, isLive, type LayoutOptions } from "../../block.ts"

export type Layout = (block: Block, options: LayoutOptions) => ReadonlyArray<Row>

interface Kept {
  /** Number of the set of options, negative for a closed fold. */
  readonly variant: number
  readonly rows: ReadonlyArray<Row>
  readonly now: number
  readonly spinner: number
}

interface KeptBlock {
  readonly variants: Array<Kept>
  /** When it was last moved to the end. */
  used: number
}

export interface LayoutCache {
  /** The longest unused first, nearly: a block moves to the end now and then, not for every look. */
  readonly blocks: Map<Block, KeptBlock>
  /** Numbers of the sets of options seen, from 1. */
  readonly options: Map<string, number>
  rows: number
  looks: number
}

const MOST_ROWS = 8_192
/** However tall they are, so many blocks are kept: a screen of tall ones must not be laid out for every frame. */
const LEAST_BLOCKS = 64
const MOST_OPTION_SETS = 64
const MOST_VARIANTS = 4
const LOOKS_PER_MOVE = 1_024

export const layoutCache = (): LayoutCache => ({ blocks: new Map(), options: new Map(), rows: 0, looks: 0 })

const numbers = new WeakMap<LayoutOptions, { readonly cache: LayoutCache; readonly number: number }>()

/** A number for all options but the clock and the fold, which are looked at for each block. */
const numberOf = (cache: LayoutCache, options: LayoutOptions): number => {
  const known = numbers.get(options)
  if (known?.cache === cache) return known.number
  const text = JSON.stringify({ ...options, now: 0, spinner: 0, fold: "" })
  if (cache.options.size >= MOST_OPTION_SETS) forgetAll(cache)
  const number = cache.options.get(text) ?? cache.options.size + 1
  cache.options.set(text, number)
  numbers.set(options, { cache, number })
  return number
}

/** All rows are stale, as after a change of the width tables. */
export const forgetAll = (cache: LayoutCache): void => {
  cache.blocks.clear()
  cache.rows = 0
}

const trim = (cache: LayoutCache): void => {
  for (const [block, { variants }] of cache.blocks) {
    if (cache.rows <= MOST_ROWS || cache.blocks.size <= LEAST_BLOCKS) return
    for (const { rows } of variants) cache.rows -= rows.length
    cache.blocks.delete(block)
  }
}

export interface LayoutRequest {
  readonly block: Block
  readonly fold: "open" | "closed"
  readonly options: LayoutOptions
}

const variantOf = (cache: LayoutCache, { fold, options }: LayoutRequest): number =>
  fold === "open" ? numberOf(cache, options) : -numberOf(cache, options)

const isFresh = (kept: Kept, { block, options }: LayoutRequest): boolean =>
  (kept.now === options.now && kept.spinner === options.spinner) || !isLive(block)

const place = (cache: LayoutCache, block: Block): KeptBlock => {
  cache.looks++
  const known = cache.blocks.get(block)
  if (known !== undefined && cache.looks - known.used < LOOKS_PER_MOVE) return known
  const kept = known ?? { variants: [], used: 0 }
  kept.used = cache.looks
  cache.blocks.delete(block)
  cache.blocks.set(block, kept)
  return kept
}

const dropped = (cache: LayoutCache, variants: Array<Kept>, at: number): void => {
  for (const { rows } of variants.splice(at, 1)) cache.rows -= rows.length
}

export const laidOut = (cache: LayoutCache, request: LayoutRequest, layout: Layout): ReadonlyArray<Row> => {
  const variant = variantOf(cache, request)
  const { variants } = place(cache, request.block)
  const at = variants.findIndex((kept) => kept.variant === variant)
  const known = variants[at]
  if (known !== undefined && isFresh(known, request)) return known.rows
  if (known !== undefined) dropped(cache, variants, at)
  else if (variants.length >= MOST_VARIANTS) dropped(cache, variants, 0)
  const { block, fold, options } = request
  const rows = layout(block, { ...options, fold })
  variants.push({ variant, rows, now: options.now, spinner: options.spinner })
  cache.rows += rows.length
  trim(cache)
  return rows
}

/** How many rows a block takes, when that is known already. */
export const knownRows = (cache: LayoutCache, request: LayoutRequest): number | undefined => {
  const variant = variantOf(cache, request)
  return cache.blocks.get(request.block)?.variants.find((kept) => kept.variant === variant)?.rows.length
}
