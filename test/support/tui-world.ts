import type { Command } from "../../src/core/loop/machine/command.ts"
import type { Occurrence } from "../../src/core/loop/machine/event.ts"
import type { Cmd } from "../../src/tui/model/cmd.ts"
import { initialModel } from "../../src/tui/model/initial.ts"
import type { AppModel } from "../../src/tui/model/app-model.ts"
import type { Happening, Msg, SessionNews } from "../../src/tui/model/msg.ts"
import { DEFAULT_UI_OPTIONS, type UiOptions } from "../../src/tui/model/ui-options.ts"
import { AWAITED, type SessionModel } from "../../src/tui/model/session-model.ts"
import { update } from "../../src/tui/app/update.ts"
import { view } from "../../src/tui/app/view/view.ts"
import { makePools, type Pools } from "../../src/tui/screen/cell/pools.ts"
import type { MouseEvent } from "../../src/tui/terminal/input/event.ts"
import { defaultKeymap } from "../../src/tui/keymap/keymap.ts"
import { parseStrokes } from "../../src/tui/keymap/stroke.ts"
import type { Size } from "../../src/tui/screen/layout/size-class.ts"
import { BASIC_CAPABILITIES, type Capabilities } from "../../src/tui/terminal/render/capabilities.ts"
import { diff } from "../../src/tui/terminal/render/diff.ts"
import { encode } from "../../src/tui/terminal/render/encode.ts"
import type { Screen } from "../../src/tui/terminal/render/screen.ts"
import { Script, START } from "../core/loop/script.ts"
import { type LoopFixture, PROJECT_DIR } from "./loop-fixture.ts"
import { makeVirtualTerminal, type VirtualTerminal } from "./virtual-terminal.ts"

/**
 * The interface without terminal and shell: messages go in, models, commands and screens come out. Its sessions are
 * real loops that a test plays by hand, and the clock stands still unless the test moves it.
 */

export const CAPS: Capabilities = {
  ...BASIC_CAPABILITIES,
  colourDepth: "256",
  hyperlinks: true,
  erasesWithBackground: true,
  cursorShape: true,
  clipboard: true
}

type Watch = (occurrence: Occurrence, commands: ReadonlyArray<Command>) => void

/** A loop whose every step is told to whoever watches it, as the shell does it. */
class WatchedScript extends Script {
  constructor(
    fixture: LoopFixture,
    private readonly watch: Watch
  ) {
    super(fixture)
  }

  override feed(occurrence: Occurrence, afterMs = 10): ReadonlyArray<Command> {
    const commands = super.feed(occurrence, afterMs)
    this.watch(occurrence, commands)
    return commands
  }
}

export const SESSION = "session-a"
export const OTHER_SESSION = "session-b"

export interface WorldOptions {
  readonly size?: Size
  readonly options?: Partial<UiOptions>
  readonly caps?: Capabilities
}

export class TuiWorld {
  model: AppModel
  /** Everything that was told, with its time: enough to live it again. */
  readonly log: Array<Msg> = []
  readonly initial: AppModel
  readonly cmds: Array<Cmd> = []
  now = START
  private pools: Pools = makePools()

  constructor({ size = { columns: 80, rows: 24 }, options = {}, caps = CAPS }: WorldOptions = {}) {
    const chosen = { ...DEFAULT_UI_OPTIONS, ...options }
    this.initial = initialModel({ size, caps, options: chosen, keymap: defaultKeymap(), now: START })
    this.model = this.initial
  }

  tell(happening: Happening): ReadonlyArray<Cmd> {
    const msg: Msg = { ...happening, at: this.now }
    this.log.push(msg)
    const [model, cmds] = update(this.model, msg)
    this.model = model
    this.cmds.push(...cmds)
    return cmds
  }

  /** Shows the session that is about to open. */
  await(fixture: LoopFixture = {}): void {
    const { state } = new Script(fixture)
    const names = { sessionId: AWAITED, cwd: PROJECT_DIR, branch: undefined, title: undefined }
    this.tell({ _tag: "SessionAwaited", facts: { ...names, state, draft: undefined, earlierPages: 0 } })
  }

  /** Opens a session and gives its loop. */
  open(id: string = SESSION, fixture: LoopFixture = {}, earlierPages = 0): Script {
    const script = new WatchedScript(fixture, (occurrence, commands) => this.hear(id, script, occurrence, commands))
    const { state } = script
    const names = { cwd: PROJECT_DIR, branch: "main", title: undefined }
    const facts = { sessionId: id, ...names, state, draft: undefined, earlierPages }
    this.tell({ _tag: "SessionOpened", facts, replaces: undefined })
    return script
  }

  /** Presses keys, written in vim notation, some time apart. */
  keys(text: string, apartMs = 20): ReadonlyArray<Cmd> {
    return parseStrokes(text).flatMap((stroke) => {
      this.now += apartMs
      const isCharacter = !(stroke.length > 1 && stroke.startsWith("<"))
      const event = { _tag: "Key" as const, stroke, kind: "press" as const, ...(isCharacter ? { text: stroke } : {}) }
      return this.tell({ _tag: "Input", event })
    })
  }

  paste(text: string): ReadonlyArray<Cmd> {
    return this.tell({ _tag: "Input", event: { _tag: "Paste", text } })
  }

  mouse(action: MouseEvent["action"], button: MouseEvent["button"], at: Pick<MouseEvent, "column" | "row">): void {
    this.tell({ _tag: "Input", event: { _tag: "Mouse", action, button, ...at, shift: false, alt: false, ctrl: false } })
  }

  resize(columns: number, rows: number): void {
    this.tell({ _tag: "Resized", size: { columns, rows } })
  }

  /** Time passes and is noticed. */
  wait(ms: number): void {
    this.now += ms
    this.tell({ _tag: "Ticked" })
  }

  session(id: string = SESSION): SessionModel {
    const session = this.model.sessions.get(id)
    if (session === undefined) throw new Error(`no session ${id}`)
    return session
  }

  screen(): Screen {
    return view({ ...this.model, now: this.now }, this.pools)
  }

  done<Tag extends Cmd["_tag"]>(tag: Tag): ReadonlyArray<Extract<Cmd, { readonly _tag: Tag }>> {
    return this.cmds.filter((cmd): cmd is Extract<Cmd, { readonly _tag: Tag }> => cmd._tag === tag)
  }

  private hear(id: string, script: Script, occurrence: Occurrence, commands: ReadonlyArray<Command>): void {
    this.now = Math.max(this.now, script.now)
    const { state } = script
    const tell = (news: SessionNews): void => void this.tell({ _tag: "Session", session: id, news })
    for (const command of commands) {
      if (command._tag === "Emit") tell({ _tag: "Emitted", emission: command.emission, state })
      if (command._tag === "AskPermission") tell({ _tag: "Asked", question: command.question, state })
      if (command._tag === "WithdrawQuestion") tell({ _tag: "Withdrawn", callId: command.callId, state })
    }
    if (occurrence._tag === "ModelSaid") tell({ _tag: "Grew", state, upTo: Number.POSITIVE_INFINITY })
  }
}

/** A screen as the emulator shows it after the bytes of our own encoder. */
export const shownBy = async (screen: Screen, caps: Capabilities = CAPS): Promise<VirtualTerminal> => {
  const terminal = makeVirtualTerminal(screen.frame.columns, screen.frame.rows)
  await terminal.write(encode(diff(undefined, screen, caps), caps))
  return terminal
}
