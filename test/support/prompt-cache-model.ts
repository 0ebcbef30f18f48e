import type { ModelRequest } from "../../src/core/model/request/model-request.ts"

/**
 * The endpoint's prompt cache as its documentation describes it: what stands before a mark is kept, and a request finds
 * it again at one of its marks or at most twenty blocks before one. Tokens are characters by four.
 */
const LOOKBACK_BLOCKS = 20
const CHARS_PER_TOKEN = 4

interface Piece {
  readonly hash: number
  readonly tokens: number
  readonly isMarked: boolean
}

/** Blocks are the same objects from request to request, marked ones aside. */
const known = new WeakMap<object, Piece>()

const hashOf = (text: string): number => {
  let hash = 2_166_136_261
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619)
  return hash >>> 0
}

const pieceOf = (item: object): Piece => {
  const kept = known.get(item)
  if (kept !== undefined) return kept
  const { cache_control: mark, ...rest }: { readonly cache_control?: unknown } = item
  const text = JSON.stringify(rest)
  const piece = { hash: hashOf(text), tokens: Math.ceil(text.length / CHARS_PER_TOKEN), isMarked: mark !== undefined }
  known.set(item, piece)
  return piece
}

export interface CacheAnswer {
  readonly readTokens: number
  readonly promptTokens: number
}

/** Up to each piece: two hashes of everything so far, and its tokens. */
interface Prefixes {
  readonly hashes: Uint32Array
  readonly others: Uint32Array
  readonly tokens: Float64Array
}

const prefixesOf = (pieces: ReadonlyArray<Piece>): Prefixes => {
  const hashes = new Uint32Array(pieces.length)
  const others = new Uint32Array(pieces.length)
  const tokens = new Float64Array(pieces.length)
  pieces.forEach((piece, at) => {
    hashes[at] = Math.imul((hashes[at - 1] ?? 17) ^ piece.hash, 16_777_619)
    others[at] = Math.imul(others[at - 1] ?? 31, 31) + piece.hash
    tokens[at] = (tokens[at - 1] ?? 0) + piece.tokens
  })
  return { hashes, others, tokens }
}

const keyAt = ({ hashes, others }: Prefixes, at: number): string => `${at}:${hashes[at]}:${others[at]}`

export class PromptCacheModel {
  private readonly entries = new Set<string>()

  answer({ tools, system, messages }: ModelRequest): CacheAnswer {
    const pieces = [...tools, ...system, ...messages.flatMap(({ content }) => content)].map(pieceOf)
    const prefixes = prefixesOf(pieces)
    const marks = pieces.flatMap(({ isMarked }, at) => (isMarked ? [at] : []))
    const readTokens = Math.max(0, ...marks.map((mark) => this.foundBefore(prefixes, mark)))
    for (const mark of marks) this.entries.add(keyAt(prefixes, mark))
    return { readTokens, promptTokens: prefixes.tokens.at(-1) ?? 0 }
  }

  private foundBefore(prefixes: Prefixes, mark: number): number {
    for (let at = mark; at >= Math.max(0, mark - LOOKBACK_BLOCKS); at--) {
      if (this.entries.has(keyAt(prefixes, at))) return prefixes.tokens[at] ?? 0
    }
    return 0
  }
}
