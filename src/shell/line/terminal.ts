import type { WriteStream } from "node:tty"
import type { PermissionQuestion } from "../../core/loop/command.ts"
import type { PermissionAnswer } from "../../core/loop/event.ts"
import type { Dialog, DialogOptions } from "../../tui/line/dialog.ts"
import { BELL, MARKS } from "../../tui/line/marks.ts"
import { permissionDialog } from "../../tui/line/permission-dialog.ts"
import { questionDialog } from "../../tui/line/question-dialog.ts"
import { visible } from "../../tui/line/visible.ts"
import { InputLine } from "./input-line.ts"
import type { LineMode } from "./line-mode.ts"

const PROMPT = "you: "
const ANSWER = "answer: "
const SPEAKER = "nacre: "

/** What the person wants. */
export interface TerminalListener {
  readonly onPrompt: (text: string) => void
  /** Ctrl-C. */
  readonly onInterrupt: () => void
  /** Escape. */
  readonly onCancel: () => void
  readonly onEnd: () => void
}

export interface TerminalOptions {
  readonly keyboard: NodeJS.ReadStream
  readonly screen: WriteStream
  readonly mode: LineMode
  readonly listener: TerminalListener
}

interface OpenQuestion {
  dialog: Dialog
  readonly reply: (answer: PermissionAnswer) => void
}

/**
 * The terminal of the linear mode: text is only ever appended, above an input line that comes and goes. The line is on
 * screen while nothing runs, while a question is open, and whenever something is typed.
 */
export class LineTerminal {
  private readonly input: InputLine
  private readonly questions: Array<OpenQuestion> = []
  private idle = false
  private closed = false
  /** The cursor stands behind text that is still being streamed. */
  private midLine = false
  private streaming = false
  /** Streamed text that waits for its line to end, because something is being typed. */
  private pending = ""
  /** Something was typed before the question came: it goes out first, as the prompt it was meant to be. */
  private draftFirst = false

  constructor(private readonly options: TerminalOptions) {
    const { keyboard, screen, mode, listener } = options
    this.input = new InputLine({
      keyboard,
      screen,
      editing: !mode.dumb,
      listener: {
        onLine: (text) => this.take(text),
        onTyping: () => this.beginTyping(),
        onInterrupt: listener.onInterrupt,
        onCancel: listener.onCancel,
        onDeletedWord: (word) => {
          if (mode.screenReader !== undefined) this.say(`[deleted: ${visible(word)}]`)
        },
        onEnd: listener.onEnd
      }
    })
  }

  get hasDraft(): boolean {
    return !this.input.isEmpty
  }

  /** Appends whole lines; a streamed text that is still open is ended first. */
  say(...lines: ReadonlyArray<string>): void {
    if (lines.length === 0) return
    this.input.hide()
    this.endStream()
    this.write(`${lines.join("\n")}\n`)
    this.refresh()
  }

  /** A part of the answer as it comes. */
  stream(text: string): void {
    const shown = visible(this.streaming ? text : text.trimStart())
    if (shown === "") return
    this.pending += this.streaming ? shown : `${SPEAKER}${shown}`
    this.streaming = true
    if (!this.input.isShown || this.input.isEmpty) {
      this.input.hide()
      this.flush(this.pending.length)
      return
    }
    const whole = this.pending.lastIndexOf("\n") + 1
    if (whole === 0) return
    this.input.hide()
    this.flush(whole)
    this.refresh()
  }

  /** The streamed text is complete. */
  finishStream(): void {
    if (!this.streaming) return
    this.input.hide()
    this.endStream()
    this.refresh()
  }

  /** Nothing runs: the next prompt is awaited. */
  ready(): void {
    this.idle = true
    this.input.hide()
    this.endStream()
    if (this.options.mode.screenReader === undefined) this.write("\n")
    if (this.options.mode.marks) this.write(MARKS.promptBegins)
    this.refresh()
  }

  busy(): void {
    if (this.idle && this.options.mode.marks) this.write(MARKS.outputBegins)
    this.idle = false
  }

  turnEnded(failed: boolean): void {
    if (this.options.mode.marks) this.write(MARKS.turnEnded(failed))
    this.ring()
  }

  ring(): void {
    if (this.options.mode.bells) this.write(BELL)
  }

  ask(question: PermissionQuestion, reply: (answer: PermissionAnswer) => void): () => void {
    const options: DialogOptions = { cancelKey: this.options.mode.dumb ? "Ctrl-C" : "Escape" }
    const open = { dialog: questionDialog(question, options) ?? permissionDialog(question, options), reply }
    this.questions.push(open)
    if (this.questions.length === 1) this.put(open)
    return () => this.withdraw(open)
  }

  clearDraft(): void {
    this.input.clear()
  }

  propose(text: string): void {
    this.input.propose(text)
  }

  onceKey(callback: () => void): () => void {
    return this.input.onceKey(callback)
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    if (this.midLine) this.options.screen.write("\n")
    this.input.leave()
    this.input.close()
  }

  private write(text: string): void {
    if (!this.closed) this.options.screen.write(this.options.mode.encode(text))
  }

  private flush(count: number): void {
    const text = this.pending.slice(0, count)
    this.pending = this.pending.slice(count)
    this.write(text)
    this.midLine = !text.endsWith("\n")
  }

  private endStream(): void {
    if (this.pending !== "") this.flush(this.pending.length)
    if (this.midLine) this.write("\n")
    this.midLine = false
    this.streaming = false
  }

  private put(open: OpenQuestion): void {
    this.draftFirst = !this.input.isEmpty
    this.say(...open.dialog.lines, open.dialog.hint)
    this.ring()
  }

  private withdraw(open: OpenQuestion): void {
    const at = this.questions.indexOf(open)
    if (at === -1) return
    this.questions.splice(at, 1)
    this.showNextQuestion(at === 0)
  }

  private showNextQuestion(changed: boolean): void {
    const [next] = this.questions
    if (changed && next !== undefined) this.put(next)
    else this.refresh()
  }

  private get prompt(): string {
    return this.questions.length > 0 && !this.draftFirst ? ANSWER : PROMPT
  }

  /** Puts the input line where it belongs after something was written, or takes it away. */
  private refresh(): void {
    if (this.closed || this.midLine) return
    const wanted = this.idle || this.questions.length > 0 || !this.input.isEmpty
    this.input.remembers = this.prompt === PROMPT
    if (wanted) this.input.show(this.prompt)
    else this.input.hide()
  }

  private beginTyping(): void {
    if (this.midLine) this.write("\n")
    this.midLine = false
    this.input.show(this.prompt)
  }

  private take(text: string): void {
    const [open] = this.questions
    if (open !== undefined && !this.draftFirst) return this.answer(open, text)
    this.draftFirst = false
    this.options.listener.onPrompt(text)
    this.refresh()
  }

  private answer(open: OpenQuestion, text: string): void {
    const reading = open.dialog.read(text)
    switch (reading._tag) {
      case "Again":
        return this.say(reading.why, open.dialog.hint)
      case "Next":
        open.dialog = reading.dialog
        return this.put(open)
      case "Answered":
        this.questions.shift()
        this.showNextQuestion(true)
        return open.reply(reading.answer)
    }
  }
}
