import type { PromptEditor } from "../prompt/editor.ts"
import type { TranscriptList } from "../transcript/list/state/transcript-list.ts"
import type { RegisterText } from "../editor/vim/state/register.ts"
import { withoutCommands, type Update } from "./update-result.ts"
import type { Cmd } from "./cmd.ts"
import { type AppModel, type GlobalMark, withSession } from "./app-model.ts"
import type { SessionModel } from "./session-model.ts"
import type { Shada, StoredMark, StoredPlace } from "./registers-file.ts"

/**
 * Registers and marks that outlive the process. They are asked for with the first key, when nobody waits for the first
 * frame any more, and what changes is given to the shell to keep.
 */
export interface KeptModel {
  readonly hasAsked: boolean
  /** Sessions whose own marks were asked for. */
  readonly sessions: ReadonlySet<string>
  /** Registers as they were last read or given away; a session that opens later begins with them. */
  readonly registers: ReadonlyMap<string, RegisterText>
}

export const NOTHING_KEPT: KeptModel = { hasAsked: false, sessions: new Set(), registers: new Map() }

const LETTER = /^[a-z]$/

/** What the first key, and the first key in a session, asks for. */
export const askForKept = (model: AppModel): Update => {
  const { kept, current } = model
  const isNew = model.sessions.has(current) && !kept.sessions.has(current)
  if (kept.hasAsked && !isNew) return withoutCommands(model)
  const sessions = isNew ? new Set(kept.sessions).add(current) : kept.sessions
  const cmds: ReadonlyArray<Cmd> = [
    ...(kept.hasAsked ? [] : [{ _tag: "LoadShada" as const }]),
    ...(isNew ? [{ _tag: "LoadMarks" as const, session: current }] : [])
  ]
  return [{ ...model, kept: { ...kept, hasAsked: true, sessions } }, cmds]
}

/** Gives an editor the kept registers that it has not written itself. */
export const withKeptRegisters = (editor: PromptEditor, kept: KeptModel["registers"]): PromptEditor => {
  if (editor._tag === "Standard" || kept.size === 0) return editor
  const { registers } = editor.vim
  const texts = new Map([...kept, ...registers.texts])
  return { _tag: "Vim", vim: { ...editor.vim, registers: { ...registers, texts } } }
}

/** A place that knows ids only has no key. */
const placed = (place: StoredPlace): GlobalMark["place"] => ({ ...place, key: Number.NaN })

export const shadaLoaded = (model: AppModel, { registers, marks }: Shada): AppModel => {
  const sessions = new Map(
    [...model.sessions].map(([id, session]) => {
      const editor = withKeptRegisters(session.prompt.editor, registers)
      return [id, { ...session, prompt: { ...session.prompt, editor } }] as const
    })
  )
  const stored = [...marks].map(([letter, { session, place }]) => [letter, { session, place: placed(place) }] as const)
  return {
    ...model,
    sessions,
    globalMarks: new Map([...stored, ...model.globalMarks]),
    kept: { ...model.kept, registers: new Map([...registers, ...model.kept.registers]) }
  }
}

export const marksLoaded = (model: AppModel, id: string, marks: ReadonlyMap<string, StoredPlace>): AppModel => {
  const stored = [...marks].map(([letter, place]) => [letter, placed(place)] as const)
  return withSession(model, id, (session) => ({
    ...session,
    list: { ...session.list, marks: new Map([...stored, ...session.list.marks]) }
  }))
}

const storedPlace = ({ entry, block, offset }: StoredPlace): StoredPlace => ({ entry, block, offset })

/** By letter what is another value than before; undefined where there is none any more. */
const changesOf = <A>(
  before: ReadonlyMap<string, A>,
  after: ReadonlyMap<string, A>,
  letters: RegExp
): ReadonlyMap<string, A | undefined> => {
  const changed = new Map<string, A | undefined>()
  if (before === after) return changed
  for (const [letter, value] of after) {
    if (letters.test(letter) && before.get(letter) !== value) changed.set(letter, value)
  }
  for (const letter of before.keys()) if (letters.test(letter) && !after.has(letter)) changed.set(letter, undefined)
  return changed
}

const textsOf = (session: SessionModel | undefined): ReadonlyMap<string, RegisterText> | undefined => {
  const editor = session?.prompt.editor
  return editor?._tag === "Vim" ? editor.vim.registers.texts : undefined
}

const changedRegisters = (before: AppModel, after: AppModel): ReadonlyMap<string, RegisterText> => {
  const old = textsOf(before.sessions.get(after.current))
  const texts = textsOf(after.sessions.get(after.current))
  const changed = new Map<string, RegisterText>()
  if (old === undefined || texts === undefined) return changed
  for (const [letter, text] of changesOf(old, texts, LETTER)) if (text !== undefined) changed.set(letter, text)
  return changed
}

const changedMarks = (before: AppModel, after: AppModel): ReadonlyMap<string, StoredMark | undefined> =>
  new Map(
    [...changesOf(before.globalMarks, after.globalMarks, /^[A-Z]$/)].map(([letter, mark]) => [
      letter,
      mark && { session: mark.session, place: storedPlace(mark.place) }
    ])
  )

const ownMarks = ({ marks }: TranscriptList): ReadonlyMap<string, StoredPlace> =>
  new Map([...marks].filter(([letter]) => LETTER.test(letter)).map(([letter, place]) => [letter, storedPlace(place)]))

/** What a message changed that outlives the process. Only the session in use can change by keys. */
export const keepChanges = (before: AppModel, after: AppModel): Update => {
  const registers = changedRegisters(before, after)
  const marks = changedMarks(before, after)
  const old = before.sessions.get(after.current)?.list
  const list = after.sessions.get(after.current)?.list
  const isMarked = old !== undefined && list !== undefined && changesOf(old.marks, list.marks, LETTER).size > 0
  const cmds: ReadonlyArray<Cmd> = [
    ...(registers.size + marks.size > 0 ? [{ _tag: "KeepShada" as const, change: { registers, marks } }] : []),
    ...(isMarked ? [{ _tag: "KeepMarks" as const, session: after.current, marks: ownMarks(list) }] : [])
  ]
  if (registers.size === 0) return [after, cmds]
  const kept = { ...after.kept, registers: new Map([...after.kept.registers, ...registers]) }
  return [{ ...after, kept }, cmds]
}
