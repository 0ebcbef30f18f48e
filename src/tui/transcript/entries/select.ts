/** What other panes show of a session, taken from its entries. Asking again after a change costs what changed. */
import { mentionsIn } from "../../../core/context/mentions/parse.ts"
import type { Todo } from "../../../core/tools/conversation/todo-write.ts"
import type { Block, CallState, Entry, ToolBlock } from "../block.ts"
import { changeOf, type FileChange } from "../changes.ts"
import { fieldsOf, listField, textField } from "../fields.ts"
import { plural } from "../number-format.ts"
import type { Gathered, MadeChange, Transcript } from "../state.ts"
import { plainCall } from "../blocks/tool-rows.ts"
import * as Vector from "../vector.ts"

export interface Activity {
  readonly callId: string
  readonly entryId: string
  readonly tool: string
  readonly state: CallState
  /** One line about it. */
  readonly text: string
  readonly startedAt: number | undefined
  readonly endedAt: number | undefined
  /** Characters of output so far. */
  readonly size: number
  readonly block: ToolBlock
}

const outputSize = (block: ToolBlock): number => {
  const result = block.parts?.find((part) => part.name === "result")
  return result === undefined ? 0 : result.end - result.start
}

const activityOf = (entry: Entry, block: ToolBlock): Activity => ({
  callId: block.callId,
  entryId: entry.id,
  tool: block.tool,
  state: block.state,
  text: plainCall(block),
  startedAt: block.startedAt,
  endedAt: block.endedAt,
  size: outputSize(block),
  block
})

const CALLS = Vector.collector((entry: Entry) => {
  const block = entry.blocks[0]
  if (block?.kind !== "tool") return []
  return (block.members ?? [block]).map((call) => [entry, call] as const)
})

/** Open calls and the latest settled ones, newest last. Open ones are never crowded out. */
export const activities = (transcript: Transcript, most: number): ReadonlyArray<Activity> => {
  const calls = Vector.collect(transcript.entries, CALLS)
  const isOpen = ([, block]: readonly [Entry, ToolBlock]): boolean => transcript.openCalls.has(block.callId)
  const open = [...transcript.openCalls.values()].flatMap((place) => {
    const entry = Vector.get(transcript.entries, place)
    return entry === undefined ? [] : CALLS.pick(entry, place)
  })
  const settled: Array<readonly [Entry, ToolBlock]> = []
  for (let index = calls.length - 1; index >= 0 && settled.length + open.length < most; index--) {
    const call = calls[index]
    if (call !== undefined && !isOpen(call)) settled.push(call)
  }
  return [...settled.toReversed(), ...open].map(([entry, block]) => activityOf(entry, block))
}

export interface Turn {
  /** Id of the prompt's entry; empty for what came before the first prompt. */
  readonly entryId: string
  readonly prompt: string
  /** Places of its entries, end excluded. */
  readonly start: number
  readonly end: number
}

/** A shell line and a note are the user's too, but ask for nothing: no turn begins with them. */
const promptOf = (entry: Entry): string | undefined => {
  const block = entry.kind === "user" ? entry.blocks.find(({ kind }) => kind === "user") : undefined
  return block?.kind !== "user" || block.prefix === "!" || block.prefix === "#" ? undefined : block.source
}

const PROMPTS = Vector.collector((entry: Entry, place: number) => {
  const prompt = promptOf(entry)
  return prompt === undefined ? [] : [{ entryId: entry.id, prompt, start: place }]
})

/** The turns of the session in order. */
export const turnsOf = (transcript: Transcript): ReadonlyArray<Turn> => {
  const prompts = Vector.collect(transcript.entries, PROMPTS)
  const { length } = transcript.entries
  const first = prompts[0]?.start ?? length
  const before: ReadonlyArray<Turn> = first === 0 ? [] : [{ entryId: "", prompt: "", start: 0, end: first }]
  return [...before, ...prompts.map((turn, index) => ({ ...turn, end: prompts[index + 1]?.start ?? length }))]
}

export interface ChangedFile {
  readonly path: string
  readonly kind: FileChange["kind"]
  readonly added: number
  readonly removed: number
  /** Every change in order, each with the call that made it. */
  readonly changes: ReadonlyArray<{ readonly entryId: string; readonly change: FileChange }>
}

const total = (changes: ReadonlyArray<MadeChange>, of: "added" | "removed"): number =>
  changes.reduce((sum, { change }) => sum + change[of], 0)

const fileOf = (changes: ReadonlyArray<MadeChange>): ChangedFile => ({
  path: changes[0]?.change.path ?? "",
  kind: changes[0]?.change.kind ?? "changed",
  added: total(changes, "added"),
  removed: total(changes, "removed"),
  changes
})

/** A file to which nothing was added stays the same value. */
const sameOr = (before: ChangedFile | undefined, file: ChangedFile): ChangedFile =>
  before !== undefined && isSameList(before.changes, file.changes) ? before : file

const changesIn = (entry: Entry): ReadonlyArray<MadeChange> =>
  entry.blocks.flatMap((block) => {
    const change = block.kind === "tool" ? changeOf(block) : undefined
    return change === undefined ? [] : [{ entryId: entry.id, change }]
  })

const CHANGES = Vector.collector(changesIn)

const joinedFiles = (changes: ReadonlyArray<MadeChange>): ReadonlyArray<ChangedFile> => {
  const byPath = new Map<string, Array<MadeChange>>()
  for (const made of changes) {
    const { path } = made.change
    const earlier = byPath.get(path)
    if (earlier === undefined) byPath.set(path, [made])
    else earlier.push(made)
  }
  return [...byPath.values()].map(fileOf)
}

/** The files that a list of changes gave, kept with its first change: a list that grew elsewhere is another. */
const known = new WeakMap<
  FileChange,
  { readonly changes: ReadonlyArray<MadeChange>; readonly files: ReadonlyArray<ChangedFile> }
>()

const isSameList = (left: ReadonlyArray<MadeChange>, right: ReadonlyArray<MadeChange>): boolean =>
  left.length === right.length && left.every(({ change }, index) => change === right[index]?.change)

/** While nothing changes a file, which is most of the time, the files are the same values. */
const filesOf = (changes: ReadonlyArray<MadeChange>): ReadonlyArray<ChangedFile> => {
  const first = changes[0]?.change
  if (first === undefined) return []
  const kept = known.get(first)
  if (kept !== undefined && isSameList(kept.changes, changes)) return kept.files
  const before = new Map(kept?.files.map((file) => [file.path, file]))
  const files = joinedFiles(changes).map((file) => sameOr(before.get(file.path), file))
  known.set(first, { changes, files })
  return files
}

const changesOf = ({ gathered, entries }: Transcript): ReadonlyArray<MadeChange> => {
  const here = Vector.collect(entries, CHANGES)
  return gathered.changes.length === 0 ? here : [...gathered.changes, ...here]
}

/** Files that calls changed, in a turn or in the whole session, in the order of their first change. */
export const changedFiles = (transcript: Transcript, turn?: Pick<Turn, "start" | "end">): ReadonlyArray<ChangedFile> => {
  if (turn === undefined) return filesOf(changesOf(transcript))
  const entries = Vector.toArray(Vector.take(transcript.entries, turn.end), turn.start)
  return filesOf(entries.flatMap(changesIn))
}

export interface TouchedFile {
  readonly path: string
  readonly reads: number
  readonly writes: number
  readonly mentions: number
  /** Entry of the last touch. */
  readonly entryId: string
  /** So many prompts were sent after the last touch. */
  readonly turnsAgo: number
}

type Touch = "reads" | "writes" | "mentions"

const WRITERS = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"])

const touchesOf = (block: Block): ReadonlyArray<readonly [string, Touch]> => {
  if (block.kind === "user") {
    return mentionsIn(block.source).flatMap(({ kind, path }) => (kind === "file" ? [[path, "mentions"] as const] : []))
  }
  if (block.kind !== "tool" || block.state !== "ok") return []
  const path = textField(fieldsOf(block.input), "file_path", "notebook_path")
  if (path === "") return []
  if (block.tool === "Read") return [[path, "reads"]]
  return WRITERS.has(block.tool) ? [[path, "writes"]] : []
}

const TOUCHES = Vector.collector((entry: Entry, place: number) =>
  entry.blocks.flatMap(touchesOf).map(([path, touch]) => ({ path, touch, entryId: entry.id, place }))
)

/** How many of these, which stand in order, begin behind a place. */
const countBehind = (turns: ReadonlyArray<{ readonly start: number }>, place: number): number => {
  let low = 0
  let high = turns.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((turns[middle]?.start ?? 0) <= place) low = middle + 1
    else high = middle
  }
  return turns.length - low
}

/** Files that were read, written or named, the latest last. */
export const touchedFiles = (transcript: Transcript): ReadonlyArray<TouchedFile> => {
  const files = new Map<string, TouchedFile>()
  const prompts = Vector.collect(transcript.entries, PROMPTS)
  for (const { path, touch, entryId, place } of Vector.collect(transcript.entries, TOUCHES)) {
    const turnsAgo = countBehind(prompts, place)
    const known = files.get(path) ?? { path, reads: 0, writes: 0, mentions: 0, entryId, turnsAgo }
    files.delete(path)
    files.set(path, { ...known, [touch]: known[touch] + 1, entryId, turnsAgo })
  }
  return [...files.values()]
}

const STATUSES: ReadonlySet<unknown> = new Set(["pending", "in_progress", "completed"])

const isTodo = (value: unknown): value is Todo => {
  const fields = fieldsOf(value)
  return textField(fields, "content") !== "" && STATUSES.has(fields["status"])
}

const LISTS = Vector.collector((entry: Entry) => {
  const block = entry.blocks[0]
  return block?.kind === "tool" && block.tool === "TodoWrite" && block.state === "ok" ? [block] : []
})

const lastListOf = ({ entries, gathered }: Transcript): ToolBlock | undefined =>
  Vector.collect(entries, LISTS).at(-1) ?? gathered.list

/** What panes still have to know when the first entries are released. */
export const gatheredFrom = (transcript: Transcript, count: number): Gathered => ({
  changes: [...transcript.gathered.changes, ...Vector.toArray(Vector.take(transcript.entries, count)).flatMap(changesIn)],
  list: lastListOf(transcript)
})

/** The list as the last call that changed it left it; none once everything on it is done. */
export const todosOf = (transcript: Transcript): ReadonlyArray<Todo> => {
  const last = lastListOf(transcript)
  const todos = listField(fieldsOf(last?.input), "todos").filter(isTodo)
  return todos.every((todo) => todo.status === "completed") ? [] : todos
}

const withoutGap = (entry: Entry): Entry => ({
  ...entry,
  blocks: entry.blocks.map((block, index) => {
    if (index > 0) return block
    const { gap: _, ...first } = block
    return first
  })
})

/**
 * The focus view: the last prompt, one line about the calls since, and the last words. All other entries stay where
 * they are; this is what is shown instead of them.
 */
export const focusEntries = (transcript: Transcript): ReadonlyArray<Entry> => {
  const start = Vector.findLastIndex(transcript.entries, (entry) => promptOf(entry) !== undefined)
  const recent = Vector.toArray(transcript.entries, Math.max(0, start))
  const prompt = start < 0 ? [] : recent.slice(0, 1).map(withoutGap)
  const answer = recent.findLast((entry) => entry.blocks.some(({ kind }) => kind === "text" || kind === "error"))
  const calls = recent.filter((entry) => entry.kind === "tool").length
  const summary = calls === 0 ? [] : [summaryEntry(transcript, { start: Math.max(0, start), calls })]
  return [...prompt, ...summary, ...(answer === undefined ? [] : [answer])]
}

const summaryEntry = (transcript: Transcript, turn: { readonly start: number; readonly calls: number }): Entry => {
  const files = changedFiles(transcript, { start: turn.start, end: transcript.entries.length })
  const added = files.reduce((sum, file) => sum + file.added, 0)
  const removed = files.reduce((sum, file) => sum + file.removed, 0)
  const edits = files.length === 0 ? "" : `, ${plural(files.length, "file")} changed (+${added} −${removed})`
  const source = `${plural(turn.calls, "call")}${edits}`
  const id = `focus:${turn.start}`
  const block: Block = { id, kind: "notice", revision: turn.calls, source, level: "info", gap: true }
  return { id, kind: "system", blocks: [block] }
}
