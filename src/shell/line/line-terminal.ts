import type { WriteStream } from "node:tty"
import type { PermissionQuestion } from "../../core/loop/machine/command.ts"
import type { PermissionAnswer } from "../../core/loop/machine/event.ts"
import { AnswerStream } from "../../tui/line/answer-stream.ts"
import type { Dialog, DialogOptions } from "../../tui/line/dialogs/dialog.ts"
import { BELL, MARKS } from "../../tui/line/marks.ts"
import { hostDialog } from "../../tui/line/dialogs/host-dialog.ts"
import { permissionDialog } from "../../tui/line/dialogs/permission-dialog.ts"
import { questionDialog } from "../../tui/line/dialogs/question-dialog.ts"
import { visible } from "../../tui/line/visible.ts"
import { wrapLine } from "../../tui/line/wrap.ts"
import { InputLine } from "./input-line.ts"
import type { LineMode } from "../plan/line-mode.ts"

const PROMPT = "you: "
const ANSWER = "answer: "

/** What the user wants. */
export interface TerminalListener {
  readonly onPrompt: (text: string) => void
  /** Ctrl-C. */
  readonly onInterrupt: () => void
  /** Escape. */
  readonly onCancel: () => void
  /** Shift+Tab. */
  readonly onNextMode: () => void
  readonly onEnd: () => void
}

export interface TerminalOptions {
  readonly keyboard: NodeJS.ReadStream
  readonly screen: WriteStream
  readonly mode: LineMode
  readonly listener: TerminalListener
}

interface OpenQuestion {
  readonly lines: () => ReadonlyArray<string>
  readonly hint: () => string
  /** Takes a typed line. */
  readonly take: (text: string) => Taken
}

type Taken =
  | { readonly _tag: "Again"; readonly why: string }
  | { readonly _tag: "Next" }
  | { readonly _tag: "Answered"; readonly tell: () => void }

const openQuestion = <A>(first: Dialog<A>, reply: (answer: A) => void): OpenQuestion => {
  let dialog = first
  return {
    lines: () => dialog.lines,
    hint: () => dialog.hint,
    take: (text) => {
      const reading = dialog.read(text)
      if (reading._tag === "Again") return reading
      if (reading._tag === "Answered") return { _tag: "Answered", tell: () => reply(reading.answer) }
      dialog = reading.dialog
      return { _tag: "Next" }
    }
  }
}

/**
 * The terminal of the linear mode: text is only ever appended, above an input line that comes and goes. The line is on
 * screen while nothing runs, while a question is open, and whenever something is typed.
 */
export class LineTerminal {
  readonly input: InputLine
  private readonly answerText = new AnswerStream()
  private readonly questions: Array<OpenQuestion> = []
  private idle = false
  private closed = false
  /** The cursor stands behind text that is still being streamed. */
  private midLine = false
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
        onNextMode: listener.onNextMode,
        onDeletedWord: (word) => {
          if (mode.screenReader !== undefined) this.say(`[deleted: ${visible(word)}]`)
        },
        onEnd: listener.onEnd
      }
    })
  }

  /** An empty line where the eye should rest; ears need none. */
  get spacing(): ReadonlyArray<string> {
    return this.options.mode.screenReader === undefined ? [""] : []
  }

  /** Appends whole lines. An answer that is still being streamed goes on below them. */
  say(...lines: ReadonlyArray<string>): void {
    if (lines.length === 0) return
    this.input.hide()
    this.breakLine()
    const rows = lines.flatMap((line) => line.split("\n")).map((line) => wrapLine(line, this.width))
    this.write(`${rows.join("\n")}\n`)
    this.refresh()
  }

  /** A part of the answer as it comes. While something is typed below, it comes line by line. */
  stream(text: string): void {
    this.answerText.push(text, this.width)
    const ready = this.input.isEmpty ? this.answerText.take() : this.answerText.takeLines()
    if (ready === "") return
    this.input.hide()
    this.write(ready)
    this.midLine = !ready.endsWith("\n")
    this.refresh()
  }

  /** The answer is complete, or no more of it will come. */
  finishStream(): void {
    if (!this.answerText.isOpen) return
    const text = this.answerText.end(this.width)
    this.input.hide()
    if (text !== "") this.midLine = !text.endsWith("\n")
    this.write(text)
    this.breakLine()
    this.refresh()
  }

  /** Nothing runs: the next prompt is awaited. */
  ready(): void {
    this.idle = true
    this.input.hide()
    for (const line of this.spacing) this.write(`${line}\n`)
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

  /** Puts a question; the returned function withdraws it. */
  ask(question: PermissionQuestion, reply: (answer: PermissionAnswer) => void, where?: string): () => void {
    const cancelKey = this.options.mode.dumb ? "Ctrl-C" : "Escape"
    const options: DialogOptions = { cancelKey, ...(where === undefined ? {} : { where }) }
    return this.askWith(
      hostDialog(question) ?? questionDialog(question, options) ?? permissionDialog(question, options),
      reply
    )
  }

  /** The same for a dialog of any kind. */
  askWith<A>(dialog: Dialog<A>, reply: (answer: A) => void): () => void {
    const open = openQuestion(dialog, reply)
    this.questions.push(open)
    if (this.questions.length === 1) this.put(open)
    return () => this.withdraw(open)
  }

  /** Lends the terminal to another program, such as an editor. */
  async lend<A>(use: () => Promise<A>): Promise<A> {
    this.input.hide()
    this.breakLine()
    try {
      return await this.input.lend(use)
    } finally {
      this.refresh()
    }
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    if (this.midLine) this.options.screen.write("\n")
    this.input.leave()
    this.input.close()
  }

  /** Rows are broken between words for the eye; a screen reader reads on whatever the width. */
  private get width(): number {
    const { mode, screen } = this.options
    return mode.screenReader === undefined && screen.columns > 0 ? screen.columns : Number.MAX_SAFE_INTEGER
  }

  private write(text: string): void {
    if (!this.closed) this.options.screen.write(this.options.mode.encode(text))
  }

  private breakLine(): void {
    if (!this.midLine) return
    this.write("\n")
    this.midLine = false
    this.answerText.lineBroken()
  }

  private put(open: OpenQuestion): void {
    this.draftFirst = !this.input.isEmpty
    this.say(...this.spacing, ...open.lines(), open.hint())
    this.ring()
  }

  private withdraw(open: OpenQuestion): void {
    const at = this.questions.indexOf(open)
    if (at === -1) return
    this.questions.splice(at, 1)
    if (at === 0) this.putNext()
  }

  private putNext(): void {
    const [next] = this.questions
    if (next === undefined) this.refresh()
    else this.put(next)
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
    this.breakLine()
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
    const taken = open.take(text)
    switch (taken._tag) {
      case "Again":
        return this.say(taken.why, open.hint())
      case "Next":
        return this.put(open)
      case "Answered":
        this.questions.shift()
        this.putNext()
        return taken.tell()
    }
  }
}
