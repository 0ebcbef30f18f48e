import { clearScreenDown, createInterface, cursorTo, type Interface, type Key, moveCursor } from "node:readline"
import { Writable } from "node:stream"
import type { WriteStream } from "node:tty"
import { PASTE_MODE } from "../../tui/line/marks.ts"

/** What the user at the keyboard does. */
export interface InputListener {
  /** A whole input; several lines when they were pasted or ended with a backslash. */
  readonly onLine: (text: string) => void
  /** A key arrived that will change the input although the line is not on screen. */
  readonly onTyping: () => void
  readonly onInterrupt: () => void
  /** Escape. */
  readonly onCancel: () => void
  /** Shift+Tab. */
  readonly onNextMode: () => void
  readonly onDeletedWord: (word: string) => void
  readonly onEnd: () => void
}

export interface InputOptions {
  readonly keyboard: NodeJS.ReadStream
  readonly screen: WriteStream
  /** Without editing the terminal itself collects the line and echoes it. */
  readonly editing: boolean
  readonly listener: InputListener
}

/** How long a lone Escape waits for the rest of a key's sequence. */
const ESCAPE_MS = 100

/** Under the text of `you: `. */
const CONTINUATION = "     "

/** What readline writes reaches the terminal only while the input line is on screen. */
class Echo extends Writable {
  isOpen = false

  constructor(private readonly screen: WriteStream) {
    super({ decodeStrings: false })
    screen.on("resize", () => this.emit("resize"))
  }

  get columns(): number {
    return this.screen.columns
  }

  override _write(chunk: string | Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    if (this.isOpen) this.screen.write(chunk)
    done()
  }
}

const EDITING_KEYS = new Set(["backspace", "delete", "up", "down", "paste-start"])
const ENDING_KEYS = new Set(["return", "enter", "escape"])

const changesInput = (text: string | undefined, key: Key): boolean => {
  const name = key.name ?? ""
  if (EDITING_KEYS.has(name)) return true
  return text !== undefined && text !== "" && key.ctrl !== true && !ENDING_KEYS.has(name)
}

const deletesWord = (key: Key): boolean =>
  (key.ctrl === true && key.name === "w") || (key.meta === true && (key.name === "backspace" || key.name === "d"))

/**
 * The only line of the screen that is ever changed: a prompt and what is being typed. It can be taken away while
 * others write and put back as it was.
 */
export class InputLine {
  private readonly lines: Interface
  private readonly echo: Echo
  /** The prompt on screen; undefined while the line is taken away. */
  private prompt: string | undefined
  private pasting = false
  private earlier: Array<string> = []
  /** Whether the next line is worth recalling with the arrow keys. */
  remembers = true

  constructor(private readonly options: InputOptions) {
    const { keyboard, screen, editing } = options
    this.echo = new Echo(screen)
    this.lines = createInterface({
      input: keyboard,
      output: editing ? this.echo : screen,
      terminal: editing,
      removeHistoryDuplicates: true,
      escapeCodeTimeout: ESCAPE_MS
    })
    this.listen()
  }

  get isShown(): boolean {
    return this.prompt !== undefined
  }

  get isEmpty(): boolean {
    return this.lines.line === "" && this.earlier.length === 0
  }

  show(prompt: string): void {
    const wanted = this.earlier.length === 0 ? prompt : CONTINUATION
    if (this.prompt === wanted) return
    this.hide()
    this.prompt = wanted
    if (!this.options.editing) {
      this.options.screen.write(wanted)
      return
    }
    this.lines.setPrompt(wanted)
    // Readline begins by going up as many rows as the input had; that must not lead into what others wrote.
    this.options.screen.write("\n".repeat(this.lines.getCursorPos().rows))
    this.echo.isOpen = true
    this.lines.prompt(true)
  }

  hide(): void {
    if (this.prompt === undefined) return
    this.prompt = undefined
    const { screen, editing } = this.options
    if (!editing) {
      screen.write("\n")
      return
    }
    this.echo.isOpen = false
    moveCursor(screen, 0, -this.lines.getCursorPos().rows)
    cursorTo(screen, 0)
    clearScreenDown(screen)
  }

  /** Leaves the line on screen as the last thing said. */
  leave(): void {
    if (this.prompt !== undefined) this.options.screen.write("\n")
    this.prompt = undefined
    this.echo.isOpen = false
  }

  clear(): void {
    this.earlier = []
    this.lines.write(null, { ctrl: true, name: "e" })
    this.lines.write(null, { ctrl: true, name: "u" })
  }

  /** Puts a text into the line for the user to send or to change. */
  propose(text: string): void {
    this.lines.write(text.replaceAll("\n", " "))
  }

  /** Calls back at the next key. */
  onceKey(callback: () => void): () => void {
    const { keyboard } = this.options
    keyboard.once("keypress", callback)
    return () => void keyboard.off("keypress", callback)
  }

  /** Gives the keyboard to another program while it runs. */
  async lend<A>(use: () => Promise<A>): Promise<A> {
    const { keyboard, screen, editing } = this.options
    if (editing) screen.write(PASTE_MODE.off)
    this.lines.pause()
    keyboard.setRawMode?.(false)
    try {
      return await use()
    } finally {
      keyboard.setRawMode?.(editing)
      this.lines.resume()
      if (editing) screen.write(PASTE_MODE.on)
    }
  }

  close(): void {
    if (this.options.editing) this.options.screen.write(PASTE_MODE.off)
    this.lines.close()
  }

  private listen(): void {
    const { keyboard, screen, editing, listener } = this.options
    this.lines.on("line", (line) => this.take(line))
    this.lines.on("close", listener.onEnd)
    this.lines.on("SIGINT", listener.onInterrupt)
    this.lines.on("history", (history) => {
      if (!this.remembers) history.shift()
    })
    if (!editing) return
    screen.write(PASTE_MODE.on)
    // Back in the foreground after Ctrl-Z.
    this.lines.on("SIGCONT", () => {
      screen.write(PASTE_MODE.on)
      this.lines.resume()
    })
    let before = ""
    keyboard.prependListener("keypress", (text: string | undefined, key: Key) => {
      before = this.lines.line
      if (key.name === "paste-start") this.pasting = true
      if (key.name === "paste-end") this.pasting = false
      if (key.name === "escape") listener.onCancel()
      if (key.name === "tab" && key.shift === true) listener.onNextMode()
      if (!this.isShown && changesInput(text, key)) listener.onTyping()
    })
    keyboard.on("keypress", (_text: string | undefined, key: Key) => {
      if (deletesWord(key)) this.announceDeletion(before)
    })
  }

  private announceDeletion(before: string): void {
    const { line, cursor } = this.lines
    const word = before.slice(cursor, cursor + before.length - line.length).trim()
    if (word !== "") this.options.listener.onDeletedWord(word)
  }

  private take(line: string): void {
    // The line break that ended the input has been written: the line is no longer ours to change.
    this.prompt = undefined
    this.echo.isOpen = false
    const goesOn = !this.pasting && line.endsWith("\\")
    if (this.pasting || goesOn) {
      this.earlier.push(goesOn ? line.slice(0, -1) : line)
      this.show(CONTINUATION)
      return
    }
    const text = [...this.earlier, line].join("\n")
    this.earlier = []
    this.options.listener.onLine(text)
  }
}
