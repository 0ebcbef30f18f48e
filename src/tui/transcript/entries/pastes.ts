import type { Block, Paste, UserBlock } from "../block.ts"
import { replace, type Transcript } from "../state.ts"
import { findLastIndex, get } from "../vector.ts"

type PastesOf = (source: string) => ReadonlyArray<Paste>

const withPastes = (block: Block, pastesOf: PastesOf): Block => {
  const pastes = block.kind === "user" ? pastesOf(block.source) : []
  if (block.kind !== "user" || pastes.length === 0) return block
  const marked: UserBlock = { ...block, pastes }
  return marked
}

/** The message with its pastes as placeholders; how it was typed is known only where it was typed. */
export const markPastes = (transcript: Transcript, uuid: string, pastesOf: PastesOf): Transcript => {
  const place = findLastIndex(transcript.entries, (entry) => entry.uuid === uuid)
  const entry = get(transcript.entries, place)
  if (entry === undefined) return transcript
  return replace(transcript, place, { ...entry, blocks: entry.blocks.map((block) => withPastes(block, pastesOf)) })
}
