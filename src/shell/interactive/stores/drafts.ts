import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import { isSessionId } from "../../../core/session/slug.ts"
import type { Draft, SavedDraft } from "../../../tui/prompt/model.ts"
import { isAlive } from "../../../adapters/system/process-alive.ts"
import { readIfThere, writeWhole } from "../../system/private-file.ts"

/** Unsent text of each session: on disk soon after it was typed, gone when there is none. */

const OneDraft = Schema.Struct({
  text: Schema.String,
  caret: Schema.Struct({ line: Schema.Number, column: Schema.Number }),
  mode: Schema.Literals(["prompt", "shell", "memory"]),
  chips: Schema.Array(
    Schema.Union([
      Schema.Struct({
        _tag: Schema.Literal("Paste"),
        number: Schema.Number,
        text: Schema.optionalKey(Schema.String)
      }),
      Schema.Struct({ _tag: Schema.Literal("Image"), number: Schema.Number, reference: Schema.String })
    ])
  )
})
/** Of a session in which nothing was said yet: nobody can resume it, so another one takes its draft. */
const Unsaid = Schema.Struct({ cwd: Schema.String, pid: Schema.Number })
const StoredDraft = Schema.Struct({
  ...OneDraft.fields,
  stash: Schema.optionalKey(OneDraft),
  waiting: Schema.optionalKey(Schema.Array(Schema.String)),
  unsaid: Schema.optionalKey(Unsaid)
})
type Stored = typeof StoredDraft.Type
const decode = Schema.decodeUnknownSync(Schema.fromJsonString(StoredDraft))

const draftFrom = (draft: typeof OneDraft.Type): Draft => ({
  ...draft,
  chips: draft.chips.map((chip) => (chip._tag === "Paste" ? { ...chip, text: chip.text } : chip))
})

const draftIn = ({ stash, waiting, unsaid: _unsaid, ...draft }: Stored): SavedDraft => ({
  ...draftFrom(draft),
  ...(stash === undefined ? {} : { stash: draftFrom(stash) }),
  ...(waiting === undefined ? {} : { waiting })
})

const directoryOf = (configHome: string): string => join(configHome, "nacre", "drafts")

const pathOf = (configHome: string, sessionId: string): string => join(directoryOf(configHome), `${sessionId}.json`)

/** Enough to find what was typed last; older drafts are left alone. */
const MOST_LOOKED_AT = 50

interface Found {
  readonly path: string
  readonly stored: Stored
}

const storedAt = (path: string): Stored | undefined => {
  try {
    return decode(readFileSync(path, "utf8"))
  } catch {
    return undefined
  }
}

/** The newest draft of this folder that nobody can come back to. */
const leftBehind = (configHome: string, cwd: string): Found | undefined => {
  const directory = directoryOf(configHome)
  if (!existsSync(directory)) return undefined
  const newest = readdirSync(directory)
    .map((name) => join(directory, name))
    .map((path) => ({ path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MOST_LOOKED_AT)
  for (const { path } of newest) {
    const stored = storedAt(path)
    const unsaid = stored?.unsaid
    if (stored !== undefined && unsaid?.cwd === cwd && !isAlive(unsaid.pid)) return { path, stored }
  }
  return undefined
}

const isEmpty = ({ text, mode, stash, waiting = [] }: SavedDraft): boolean =>
  text === "" && mode === "prompt" && stash === undefined && waiting.length === 0

export interface DraftsOptions {
  readonly configHome: string
  readonly complain: (text: string) => void
  /** How long typing may go on before it is on disk. */
  readonly delayMs?: number
}

const DELAY_MS = 500

interface Unsaved {
  readonly draft: SavedDraft
  readonly unsaidIn: string | undefined
}

export class Drafts {
  private readonly unsaved = new Map<string, Unsaved>()
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly options: DraftsOptions) {}

  /** `unsaidIn` is the folder of a session in which nothing was said yet. */
  save(sessionId: string, draft: SavedDraft, unsaidIn?: string): void {
    if (!isSessionId(sessionId)) return
    this.unsaved.set(sessionId, { draft, unsaidIn })
    this.timer ??= setTimeout(() => this.flush(), this.options.delayMs ?? DELAY_MS)
  }

  /** What was typed last, also what is not on disk yet. A broken file counts as none. */
  read(sessionId: string): SavedDraft | undefined {
    if (!isSessionId(sessionId)) return undefined
    const known = this.unsaved.get(sessionId)?.draft
    if (known !== undefined) return isEmpty(known) ? undefined : known
    const path = pathOf(this.options.configHome, sessionId)
    try {
      const text = readIfThere(path)
      return text === undefined ? undefined : draftIn(decode(text))
    } catch {
      this.options.complain(`the draft of this session could not be read and is left out. Fix: look into ${path}`)
      return undefined
    }
  }

  /** A new session takes over what was typed in this folder and never sent, unless somebody is still typing it. */
  adopt(sessionId: string, cwd: string): SavedDraft | undefined {
    try {
      const found = isSessionId(sessionId) ? leftBehind(this.options.configHome, cwd) : undefined
      if (found === undefined) return undefined
      renameSync(found.path, pathOf(this.options.configHome, sessionId))
      return draftIn(found.stored)
    } catch {
      // Another process was quicker, or the folder cannot be read: nothing is lost by that.
      return undefined
    }
  }

  flush(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    const waiting = [...this.unsaved]
    this.unsaved.clear()
    for (const [sessionId, unsaved] of waiting) this.write(sessionId, unsaved)
  }

  private write(sessionId: string, { draft, unsaidIn }: Unsaved): void {
    const unsaid = unsaidIn === undefined ? {} : { unsaid: { cwd: unsaidIn, pid: process.pid } }
    const path = pathOf(this.options.configHome, sessionId)
    try {
      if (isEmpty(draft)) rmSync(path, { force: true })
      else writeWhole(path, JSON.stringify({ ...draft, ...unsaid }))
    } catch (error) {
      this.options.complain(`the draft was not saved (${String(error)}). Fix: make ${this.options.configHome} writable`)
    }
  }
}
