import type { Entry, TranscriptIndex } from "./transcript-index.ts"

/**
 * Parallel calls make a tree: each result hangs below its own call's line, so a walk along parents meets one of them.
 * This finds the others again, with the notes (hook output and the like) that hang below them.
 */

/** Where a response stands on the path, and the place in the file of its last fragment or result. */
interface Stretch {
  from: number
  to: number
  end: number
}

const isMember = ({ links }: Entry): boolean => links.messageId !== null || links.source !== null

/** Lines beside the path that belong to responses on it, by response, in file order. */
const linesBeside = (ledger: TranscriptIndex, path: ReadonlyArray<Entry>): ReadonlyMap<string, ReadonlyArray<Entry>> => {
  const onPath = new Uint8Array(ledger.lines)
  const responses = new Set<string>()
  for (const { links, position, response } of path) {
    onPath[position] = 1
    if (links.messageId !== null && response !== null) responses.add(response)
  }
  const beside = new Map<string, Array<Entry>>()
  for (const entry of ledger.order) {
    const { response } = entry
    if (response === null || onPath[entry.position] === 1 || !responses.has(response)) continue
    const known = beside.get(response)
    if (known === undefined) beside.set(response, [entry])
    else known.push(entry)
  }
  return beside
}

const stretchesOf = (
  path: ReadonlyArray<Entry>,
  beside: ReadonlyMap<string, ReadonlyArray<Entry>>
): ReadonlyMap<string, Stretch> => {
  const stretches = new Map<string, Stretch>()
  for (const [place, entry] of path.entries()) {
    const { response, position } = entry
    if (response === null || !isMember(entry) || !beside.has(response)) continue
    const known = stretches.get(response)
    if (known === undefined) stretches.set(response, { from: place, to: place, end: position })
    else {
      known.to = place
      known.end = Math.max(known.end, position)
    }
  }
  return stretches
}

/** Lost fragments and results, and the notes below them that were written before the response's last result. */
const lostLines = (beside: ReadonlyArray<Entry>, endOnPath: number): ReadonlyArray<Entry> => {
  const members = beside.filter(isMember)
  const end = Math.max(endOnPath, members.at(-1)?.position ?? -1)
  const lost = new Set<Entry>()
  for (const entry of beside) {
    const hangsBelowLost = entry.parent !== null && lost.has(entry.parent)
    if (isMember(entry) || (hangsBelowLost && entry.position < end)) lost.add(entry)
  }
  return [...lost]
}

/** Before which place of the path each lost line goes: file order inside the stretch, the path's own order stays. */
const insertsFor = (path: ReadonlyArray<Entry>, stretch: Stretch, lost: ReadonlyArray<Entry>) => {
  let place = stretch.from
  return lost.map((entry) => {
    while (place <= stretch.to && (path[place]?.position ?? Infinity) < entry.position) place++
    return { place, entry }
  })
}

export const recoverSiblings = (ledger: TranscriptIndex, path: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
  if (path.length === ledger.order.length) return path
  const beside = linesBeside(ledger, path)
  const inserts = new Map<number, Array<Entry>>()
  for (const [response, stretch] of stretchesOf(path, beside)) {
    const lost = lostLines(beside.get(response) ?? [], stretch.end)
    for (const { place, entry } of insertsFor(path, stretch, lost)) {
      const known = inserts.get(place)
      if (known === undefined) inserts.set(place, [entry])
      else known.push(entry)
    }
  }
  if (inserts.size === 0) return path
  const whole: Array<Entry> = []
  for (let place = 0; place <= path.length; place++) {
    for (const entry of inserts.get(place) ?? []) whole.push(entry)
    const entry = path[place]
    if (entry !== undefined) whole.push(entry)
  }
  return whole
}
