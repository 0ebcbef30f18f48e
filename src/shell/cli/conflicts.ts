import { isGiven, type Arguments } from "./arguments.ts"
import { UsageError } from "./usage-error.ts"

/** Flags that do not go together, as data: pairs that exclude each other and flags that need a way of running. */
export interface Running {
  readonly print: boolean
  readonly streamInput: boolean
  readonly streamOutput: boolean
}

interface Exclusion {
  readonly flags: readonly [string, string]
  readonly unless?: string
  readonly why: string
}

const EXCLUSIONS: ReadonlyArray<Exclusion> = [
  { flags: ["--continue", "--resume"], why: "both say which session to go on with" },
  {
    flags: ["--session-id", "--resume"],
    unless: "--fork-session",
    why: "a resumed session keeps its own id; only a fork can take a new one"
  },
  {
    flags: ["--session-id", "--continue"],
    unless: "--fork-session",
    why: "a continued session keeps its own id; only a fork can take a new one"
  },
  { flags: ["--system-prompt", "--system-prompt-file"], why: "both replace the system prompt" },
  { flags: ["--append-system-prompt", "--append-system-prompt-file"], why: "both give the text to add" }
]

type Need = "print" | "streamOutput" | "streamBoth"

const NEEDS: ReadonlyMap<string, Need> = new Map([
  ["--include-partial-messages", "streamOutput"],
  ["--forward-subagent-text", "streamOutput"],
  ["--prompt-suggestions", "streamOutput"],
  ["--replay-user-messages", "streamBoth"],
  ["--permission-prompt-tool", "streamBoth"]
])

const MET: Record<Need, (running: Running) => boolean> = {
  print: (running) => running.print,
  streamOutput: (running) => running.print && running.streamOutput,
  streamBoth: (running) => running.print && running.streamInput && running.streamOutput
}

const FIX: Record<Need, string> = {
  print: "add -p",
  streamOutput: "add -p --output-format stream-json --verbose",
  streamBoth: "add --input-format stream-json --output-format stream-json"
}

const exclusionError = (args: Arguments): UsageError | undefined => {
  const hit = EXCLUSIONS.find(
    ({ flags: [left, right], unless }) =>
      isGiven(args, left) && isGiven(args, right) && (unless === undefined || !isGiven(args, unless))
  )
  if (hit === undefined) return undefined
  const [left, right] = hit.flags
  const fix = hit.unless === undefined ? `keep one of them` : `keep one of them, or add ${hit.unless}`
  return new UsageError({ what: `${left} cannot be used with ${right}`, why: hit.why, fix })
}

const needError = (args: Arguments, running: Running): UsageError | undefined => {
  for (const { flag } of args.given) {
    const need = NEEDS.get(flag.name) ?? (flag.printOnly === true ? "print" : undefined)
    if (need === undefined || MET[need](running)) continue
    const why = need === "print" ? "it means something in print mode only" : "it belongs to the stream-json protocol"
    return new UsageError({ what: `${flag.name} cannot be used here`, why, fix: FIX[need] })
  }
  return undefined
}

const streamError = (args: Arguments, running: Running): UsageError | undefined => {
  if (running.streamInput && !running.streamOutput) {
    return new UsageError({
      what: "--input-format stream-json cannot be used here",
      why: "it works only together with --output-format stream-json",
      fix: "add --output-format stream-json"
    })
  }
  if (running.streamOutput && !running.streamInput && !isGiven(args, "--verbose")) {
    return new UsageError({
      what: "--output-format stream-json cannot be used here",
      why: "it prints every message and so needs --verbose",
      fix: "add --verbose"
    })
  }
  return undefined
}

const resumeError = (args: Arguments, running: Running): UsageError | undefined => {
  const resumed = args.given.find(({ flag }) => flag.name === "--resume")
  if (running.print && resumed !== undefined && resumed.values.length === 0) {
    return new UsageError({
      what: "--resume needs a session in print mode",
      why: "there is no picker to choose from",
      fix: "--resume <session>, or --continue for the latest one"
    })
  }
  if (isGiven(args, "--resume-session-at") && !isGiven(args, "--resume") && !isGiven(args, "--continue")) {
    return new UsageError({
      what: "--resume-session-at cannot be used alone",
      why: "it says where to go on in a resumed session",
      fix: "add --resume <session>"
    })
  }
  return undefined
}

export const findConflict = (args: Arguments, running: Running): UsageError | undefined =>
  exclusionError(args) ?? streamError(args, running) ?? needError(args, running) ?? resumeError(args, running)
