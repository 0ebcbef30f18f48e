import { chmodSync, existsSync, renameSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { type Env, isOn, readVariable } from "../../../core/domain/env.ts"
import type { Cmd } from "../../../tui/model/cmd.ts"
import type { Happening } from "../../../tui/model/msg.ts"
import {
  changedShada,
  decodeMarks,
  type Decoded,
  decodeShada,
  isShada,
  marksText,
  type ShadaChange
} from "../../../tui/model/registers-file.ts"
import type { LayoutChange } from "../../../tui/screen/layout/layout-file.ts"
import { sessionDirOf } from "../../plan/session-plan.ts"
import { withFileLock } from "../../system/file-lock.ts"
import { layoutPath, storeLayouts } from "./layout-store.ts"
import { readIfThere, writeWhole } from "../../system/private-file.ts"

/**
 * Registers, marks and arrangements of panes on disk: two files for the user, and one beside each session that has
 * marks. The first two are shared by all processes, so a write takes in what others wrote meanwhile; the other belongs
 * to whoever has the session open.
 */

const OWNER_ONLY = 0o600
const MOST_BYTES = 4 * 1024 * 1024
const DELAY_MS = 500

export interface KeptFilesOptions {
  readonly configHome: string
  readonly env: Env
  readonly tell: (happening: Happening) => void
  readonly complain: (text: string) => void
  /** Undefined for a session that is not open here. */
  readonly transcriptOf: (session: string) => string | undefined
  /** How long a change may wait before it is on disk. */
  readonly delayMs?: number
}

const NO_CHANGE: ShadaChange = { registers: new Map(), marks: new Map() }

const merged = (before: ShadaChange, after: ShadaChange): ShadaChange => ({
  registers: new Map([...before.registers, ...after.registers]),
  marks: new Map([...before.marks, ...after.marks])
})

const NO_LAYOUT_CHANGE: LayoutChange = { classes: new Map(), named: new Map() }

const isEmpty = ({ registers, marks }: ShadaChange): boolean => registers.size + marks.size === 0

const readBounded = (path: string): string | undefined => {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES} bytes`)
  return readIfThere(path)
}

const writePrivately = (path: string, text: string): void => {
  if (existsSync(path)) chmodSync(path, OWNER_ONLY)
  writeWhole(path, text)
}

export class KeptFiles {
  private unsaved: ShadaChange = NO_CHANGE
  private readonly unsavedMarks = new Map<string, Extract<Cmd, { _tag: "KeepMarks" }>>()
  private unsavedLayout: LayoutChange = NO_LAYOUT_CHANGE
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly options: KeptFilesOptions) {}

  loadShada(): void {
    const { value } = this.read(this.shadaPath, decodeShada)
    this.options.tell({ _tag: "ShadaLoaded", ...value })
  }

  loadMarks(session: string): void {
    const path = this.marksPath(session)
    if (path === undefined) return
    const { value } = this.read(path, decodeMarks)
    if (value.size > 0) this.options.tell({ _tag: "MarksLoaded", session, marks: value })
  }

  keepShada(change: ShadaChange): void {
    const { env } = this.options
    if (isOn(env["NACRE_NO_HISTORY"]) || isOn(readVariable(env, "SKIP_PROMPT_HISTORY"))) return
    this.unsaved = merged(this.unsaved, change)
    this.later()
  }

  keepMarks(cmd: Extract<Cmd, { _tag: "KeepMarks" }>): void {
    this.unsavedMarks.set(cmd.session, cmd)
    this.later()
  }

  keepLayout({ classes, named }: LayoutChange): void {
    const { unsavedLayout } = this
    this.unsavedLayout = {
      classes: new Map([...unsavedLayout.classes, ...classes]),
      named: new Map([...unsavedLayout.named, ...named])
    }
    this.later()
  }

  flush(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.flushLayout()
    const change = this.unsaved
    this.unsaved = NO_CHANGE
    if (!isEmpty(change)) this.attempt(this.shadaPath, () => this.writeShada(change))
    const waiting = [...this.unsavedMarks.values()]
    this.unsavedMarks.clear()
    for (const { session, marks } of waiting) {
      const path = this.marksPath(session)
      if (path !== undefined) this.attempt(path, () => writePrivately(path, marksText(marks)))
    }
  }

  private flushLayout(): void {
    const layout = this.unsavedLayout
    this.unsavedLayout = NO_LAYOUT_CHANGE
    const { configHome } = this.options
    if (layout.classes.size + layout.named.size > 0) {
      this.attempt(layoutPath(configHome), () => storeLayouts(configHome, layout))
    }
  }

  private get shadaPath(): string {
    return join(this.options.configHome, "nacre", "shada.json")
  }

  /** Beside the session, where there is one: a conversation that is not saved has no marks to come back to. */
  private marksPath(session: string): string | undefined {
    const transcript = this.options.transcriptOf(session)
    if (transcript === undefined || !existsSync(transcript)) return undefined
    return join(sessionDirOf(transcript), "marks.json")
  }

  private later(): void {
    this.timer ??= setTimeout(() => this.flush(), this.options.delayMs ?? DELAY_MS)
  }

  private writeShada(change: ShadaChange): void {
    withFileLock(this.shadaPath, () => {
      const text = readBounded(this.shadaPath)
      // What nobody can read is kept beside, so that nothing is lost by writing.
      if (text !== undefined && !isShada(text)) renameSync(this.shadaPath, `${this.shadaPath}.bad`)
      writePrivately(this.shadaPath, changedShada(text, change))
    })
  }

  private read<A>(path: string, decode: (text: string) => Decoded<A>): Decoded<A> {
    const nothing = decode("{}")
    try {
      const text = readBounded(path)
      const decoded = text === undefined ? nothing : decode(text)
      if (decoded.problems.length > 0) this.complain(path, `invalid: ${decoded.problems.join(", ")}`)
      return decoded
    } catch (error) {
      this.complain(path, error instanceof Error ? error.message : String(error))
      return nothing
    }
  }

  /** The name comes first: a notice may be cut. */
  private complain(path: string, why: string): void {
    this.options.complain(`${basename(path)} is left out: ${why.slice(0, 200)}. Fix: repair or delete ${path}`)
  }

  private attempt(path: string, write: () => void): void {
    try {
      write()
    } catch (error) {
      this.options.complain(`${basename(path)} was not written (${String(error)}). Fix: make ${path} writable`)
    }
  }
}
