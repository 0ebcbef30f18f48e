/** What a shell call gives back: the record for hosts and transcripts, and the text for the model. */
import { LIMITS } from "../../domain/limits.ts"
import { expectsNoOutput } from "./silent-commands.ts"
import { humanSize, utf8Bytes } from "../../domain/text/bytes.ts"
import { persistedPreview } from "../contract/result-size.ts"
import { firstChars, headAndTail, lastChars } from "./clip.ts"
import { type CommandEnd, interpretExit } from "./exit.ts"

export interface BashOutput {
  /** Both streams as they were written. */
  readonly stdout: string
  /** Notices of the tool itself. */
  readonly stderr: string
  readonly interrupted: boolean
  readonly isImage: boolean
  readonly noOutputExpected: boolean
  readonly rawOutputPath?: string
  readonly backgroundTaskId?: string
  readonly backgroundedByUser?: boolean
  readonly timedOutAfterMs?: number
  readonly backgroundCwdHint?: string
  readonly backgroundEndsWithFinalResponse?: boolean
  readonly returnCodeInterpretation?: string
  readonly persistedOutputPath?: string
  readonly persistedOutputSize?: number
  /** The last lines of an output of which `stdout` has the beginning, for whoever reads the transcript. */
  readonly outputTail?: string
  readonly dangerouslyDisableSandbox?: boolean
}

export interface BashResult {
  readonly data: BashOutput
  readonly content: string
  readonly isError: boolean
}

interface BothEnds {
  readonly head: string
  readonly tail: string
}

/** The output as it was read back. */
export type ReadBack =
  | { readonly kind: "whole"; readonly text: string }
  /** Too long to show: all of it lies under `path`, or could not be kept for the reason in `cause`. */
  | ({ readonly kind: "ends"; readonly bytes: number; readonly path: string } & BothEnds)
  | ({ readonly kind: "cut"; readonly cause: string } & BothEnds)

export interface EndedCommand {
  readonly command: string
  readonly end: CommandEnd
  readonly output: ReadBack
  readonly windowChars: number
  readonly notices: ReadonlyArray<string>
  /** Set when the command was stopped because its time was over. */
  readonly timedOutAfterMs?: number
  readonly unsandboxed: boolean
}

export const inlineChars = (isError: boolean, windowChars: number): number =>
  isError ? LIMITS.toolErrorChars : Math.min(windowChars, LIMITS.bashOutputChars)

export const NO_OUTPUT = "(Bash completed with no output)"

const seconds = (ms: number): string => `${Number((ms / 1_000).toFixed(1))} s`

const timeoutHeadline = (ms: number): string => `Command timed out after ${seconds(ms)} and was stopped`

export const overflowNotice = (limitBytes: number): string =>
  `The command was stopped because its output passed ${humanSize(limitBytes)}. Write large data to a file instead.`

export const lostOutputNotice = (cause: string): string => `Part of the output is missing: ${cause}`

export const missingDirectoryNotice = (missing: string, used: string): string =>
  `The directory ${missing} no longer exists; the command ran in ${used}`

const MOST_NAMED = 20

/** The command changed files whose content the model has in front of it. */
export const changedFilesNotice = (paths: ReadonlyArray<string>): string => {
  const named = paths.slice(0, MOST_NAMED).join(", ")
  const others = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : ""
  return `The command changed files that you had read: ${named}${others}. Read them again before you rely on them.`
}

const lines = (parts: ReadonlyArray<string | undefined>): string =>
  parts.filter((part) => part !== undefined && part !== "").join("\n")

const shownText = (output: ReadBack, maxChars: number, isError: boolean): string => {
  if (output.kind === "whole") return output.text
  if (output.kind === "cut") {
    return lines([headAndTail({ ...output, maxChars }), `The whole output could not be kept: ${output.cause}`])
  }
  return isError ? headAndTail({ ...output, maxChars }) : persistedPreview(output)
}

const windowOf = (output: ReadBack, windowChars: number): string =>
  output.kind === "whole" ? output.text : firstChars(output.head, windowChars)

/** What people look at first in a long output is how it ended; this much of it stays in the record. */
const TAIL_CHARS = 2_000
/** Of one unit of a JavaScript string in UTF-8. */
const MOST_BYTES = 3

/** The last whole lines that the beginning does not hold already. */
const tailOf = (output: ReadBack & { readonly kind: "ends" }, shown: string): string => {
  const behind = output.bytes - utf8Bytes(shown)
  const last = lastChars(output.tail, TAIL_CHARS)
  const tail = utf8Bytes(last) <= behind ? last : lastChars(last, Math.max(0, Math.floor(behind / MOST_BYTES)))
  const firstEnd = tail.indexOf("\n")
  return firstEnd < 0 ? tail : tail.slice(firstEnd + 1)
}

const persisted = (output: ReadBack, shown: string): Partial<BashOutput> =>
  output.kind === "ends"
    ? { persistedOutputPath: output.path, persistedOutputSize: output.bytes, outputTail: tailOf(output, shown) }
    : {}

export const endedResult = (ended: EndedCommand): BashResult => {
  const meaning = interpretExit(ended.command, ended.end)
  const { timedOutAfterMs, output } = ended
  const isError = meaning.isError || timedOutAfterMs !== undefined
  const headline = timedOutAfterMs === undefined ? meaning.headline : timeoutHeadline(timedOutAfterMs)
  const text = shownText(output, inlineChars(isError, ended.windowChars), isError)
  const stdout = windowOf(output, ended.windowChars)
  const success = lines([text, meaning.interpretation]) || NO_OUTPUT
  return {
    isError,
    content: isError ? lines([headline, text, ...ended.notices]) : lines([success, ...ended.notices]),
    data: {
      stdout,
      stderr: lines(ended.notices),
      interrupted: timedOutAfterMs !== undefined,
      isImage: false,
      noOutputExpected: expectsNoOutput(ended.command),
      ...(timedOutAfterMs === undefined ? {} : { timedOutAfterMs }),
      ...(meaning.interpretation === undefined ? {} : { returnCodeInterpretation: meaning.interpretation }),
      ...persisted(output, stdout),
      ...(ended.unsandboxed ? { dangerouslyDisableSandbox: true } : {})
    }
  }
}

export interface BackgroundedCommand {
  readonly taskId: string
  readonly outputPath: string
  /** Why it runs there: the call asked for it, its time was over, or the user moved it. */
  readonly reason: "asked" | "timeout" | "user"
  readonly timeoutMs: number
  /** End of what it wrote so far. */
  readonly tail: string
  /** Without a user at the terminal, background commands end with the run. */
  readonly endsWithAnswer: boolean
  readonly notices: ReadonlyArray<string>
  readonly unsandboxed: boolean
}

const DIRECTORY_HINT = "Directory changes it makes do not apply to later commands."

const opening = ({ reason, timeoutMs, taskId }: BackgroundedCommand): string => {
  if (reason === "asked") return `The command runs in the background as task ${taskId}.`
  if (reason === "user") return `The user moved the command to the background; it goes on as task ${taskId}.`
  return `The command did not finish within ${seconds(timeoutMs)} and goes on in the background as task ${taskId}.`
}

export const backgroundResult = (moved: BackgroundedCommand): BashResult => ({
  isError: false,
  content: lines([
    opening(moved),
    `Its output goes to ${moved.outputPath}; read that file to see it. You are told once when it ends.`,
    DIRECTORY_HINT,
    moved.endsWithAnswer ? "It is ended shortly after your final answer." : undefined,
    moved.tail === "" ? undefined : `Output so far:\n${moved.tail}`,
    ...moved.notices
  ]),
  data: {
    stdout: moved.tail,
    stderr: lines(moved.notices),
    interrupted: false,
    isImage: false,
    noOutputExpected: false,
    rawOutputPath: moved.outputPath,
    backgroundTaskId: moved.taskId,
    backgroundCwdHint: DIRECTORY_HINT,
    ...(moved.endsWithAnswer ? { backgroundEndsWithFinalResponse: true } : {}),
    ...(moved.reason === "user" ? { backgroundedByUser: true } : {}),
    ...(moved.reason === "timeout" ? { timedOutAfterMs: moved.timeoutMs } : {}),
    ...(moved.unsandboxed ? { dangerouslyDisableSandbox: true } : {})
  }
})
