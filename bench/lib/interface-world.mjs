import { initialModel } from "../../src/tui/model/initial.ts"
import { DEFAULT_UI_OPTIONS } from "../../src/tui/model/ui-options.ts"
import { update } from "../../src/tui/app/update.ts"
import { view } from "../../src/tui/app/view/view.ts"
import { nextWake } from "../../src/tui/app/wake.ts"
import { makePools, renewPools } from "../../src/tui/screen/cell/pools.ts"
import { defaultKeymap } from "../../src/tui/keymap/keymap.ts"
import { BASIC_CAPABILITIES } from "../../src/tui/terminal/render/capabilities.ts"
import { diff } from "../../src/tui/terminal/render/diff.ts"
import { encode } from "../../src/tui/terminal/render/encode.ts"
import { isSearching } from "../../src/tui/transcript/list/commands/search.ts"
import { Script } from "../../test/core/loop/script.ts"

/**
 * The interface without terminal and shell: messages in, bytes out, by the path of the program itself (update, view,
 * diff, encode). The clock stands still unless it is moved.
 */
const CAPS = {
  ...BASIC_CAPABILITIES,
  colourDepth: "24bit",
  syncOutput: true,
  hyperlinks: true,
  erasesWithBackground: true,
  scrollRegions: true,
  cursorShape: true
}

const START = 1_750_000_000_000
const SESSION = "session"

export class Interface {
  constructor({ size, state, caps = CAPS }) {
    this.caps = caps
    this.now = START
    this.pools = makePools()
    this.shown = undefined
    this.model = initialModel({ size, caps, options: DEFAULT_UI_OPTIONS, keymap: defaultKeymap(), now: START })
    const names = { cwd: "/project", branch: "main", title: undefined }
    const facts = { sessionId: SESSION, ...names, state, draft: undefined, earlierPages: 0 }
    this.tell({ _tag: "SessionOpened", facts, replaces: undefined })
  }

  tell(happening) {
    this.model = update(this.model, { ...happening, at: this.now })[0]
  }

  key(stroke) {
    this.now += 5
    const text = stroke.length > 1 && stroke.startsWith("<") ? {} : { text: stroke }
    this.tell({ _tag: "Input", event: { _tag: "Key", stroke, kind: "press", ...text } })
  }

  hear(news) {
    this.tell({ _tag: "Session", session: SESSION, news })
  }

  /** What the model says now goes to the terminal. */
  frame() {
    this.pools = renewPools(this.pools)
    const before = this.shown
    this.shown = view({ ...this.model, now: this.now }, this.pools)
    return { before, screen: this.shown, bytes: encode(diff(before, this.shown, this.caps), this.caps) }
  }

  tick() {
    this.now += 1
    this.tell({ _tag: "Ticked" })
  }

  /** Part of the index of a long session, or of a search through it, is left for later. */
  hasWork() {
    const { list } = this.model.sessions.get(SESSION)
    return list.entries.pending > 0 || isSearching(list)
  }

  /** Time goes on until nothing is left that only needs time: the index of a long session, a search through it. */
  settle() {
    for (let turn = 0; turn < 10_000; turn++) {
      const at = nextWake({ ...this.model, now: this.now })
      if (at === undefined) return
      this.now = Math.max(this.now + 1, at)
      this.tell({ _tag: "Ticked" })
    }
    throw new Error("the interface does not come to rest")
  }
}

const newsOf = (command, state) => {
  switch (command._tag) {
    case "Emit":
      return { _tag: "Emitted", emission: command.emission, state }
    case "AskPermission":
      return { _tag: "Asked", question: command.question, state }
    default:
      return undefined
  }
}

/** A loop played by hand whose every step is told to `hear`, as the shell does it. It keeps nothing of its past. */
export class ToldLoop extends Script {
  constructor(state, hear) {
    super()
    this.state = state
    this.hear = hear
  }

  feed(occurrence, afterMs) {
    this.commands.splice(0, this.commands.length, ...this.commands.slice(-100))
    const commands = super.feed(occurrence, afterMs)
    for (const command of commands) {
      const news = newsOf(command, this.state)
      if (news !== undefined) this.hear(news)
    }
    if (occurrence._tag === "ModelSaid") this.hear({ _tag: "Grew", state: this.state, upTo: Number.POSITIVE_INFINITY })
    return commands
  }
}

/** Cells of a frame that are not as they were. */
export const changedCells = (before, after) => {
  let changed = 0
  for (let at = 0; at < after.frame.words.length; at++) {
    if (after.frame.words[at] !== before.frame.words[at] || after.frame.links[at] !== before.frame.links[at]) changed++
  }
  return changed
}
