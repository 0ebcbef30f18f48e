import { rmSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import { isSessionId } from "../../core/session/slug.ts"
import type { Draft } from "../../tui/prompt/model.ts"
import { readIfThere, writeWhole } from "./private-file.ts"

/** Unsent text of each session: on disk soon after it was typed, gone when there is none (UI-150). */

const StoredDraft = Schema.Struct({
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
const decode = Schema.decodeUnknownSync(Schema.fromJsonString(StoredDraft))

const draftIn = (text: string): Draft => {
  const draft = decode(text)
  return { ...draft, chips: draft.chips.map((chip) => (chip._tag === "Paste" ? { ...chip, text: chip.text } : chip)) }
}

const pathOf = (configHome: string, sessionId: string): string =>
  join(configHome, "nacre", "drafts", `${sessionId}.json`)

const isEmpty = ({ text, mode }: Draft): boolean => text === "" && mode === "prompt"

export interface DraftsOptions {
  readonly configHome: string
  readonly complain: (text: string) => void
  /** How long typing may go on before it is on disk. */
  readonly delayMs?: number
}

const DELAY_MS = 500

export class Drafts {
  private readonly unsaved = new Map<string, Draft>()
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly options: DraftsOptions) {}

  save(sessionId: string, draft: Draft): void {
    if (!isSessionId(sessionId)) return
    this.unsaved.set(sessionId, draft)
    this.timer ??= setTimeout(() => this.flush(), this.options.delayMs ?? DELAY_MS)
  }

  /** What was typed last, also what is not on disk yet. A broken file counts as none. */
  read(sessionId: string): Draft | undefined {
    if (!isSessionId(sessionId)) return undefined
    const known = this.unsaved.get(sessionId)
    if (known !== undefined) return isEmpty(known) ? undefined : known
    const path = pathOf(this.options.configHome, sessionId)
    try {
      const text = readIfThere(path)
      return text === undefined ? undefined : draftIn(text)
    } catch {
      this.options.complain(`the draft of this session could not be read and is left out. Fix: look into ${path}`)
      return undefined
    }
  }

  flush(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    const waiting = [...this.unsaved]
    this.unsaved.clear()
    for (const [sessionId, draft] of waiting) this.write(sessionId, draft)
  }

  private write(sessionId: string, draft: Draft): void {
    const path = pathOf(this.options.configHome, sessionId)
    try {
      if (isEmpty(draft)) rmSync(path, { force: true })
      else writeWhole(path, JSON.stringify(draft))
    } catch (error) {
      this.options.complain(`the draft was not saved (${String(error)}). Fix: make ${this.options.configHome} writable`)
    }
  }
}
