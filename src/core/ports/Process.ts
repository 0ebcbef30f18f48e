import { Context, Data, type Effect } from "effect"

/** A command could not be started, or its output could not be kept. The message says what to do. */
export class ProcessFailure extends Data.TaggedError("ProcessFailure")<{
  readonly reason: "program-missing" | "directory-missing" | "not-startable" | "output" | "closed"
  readonly message: string
}> {}

export type ProcessEnv = Readonly<Record<string, string | undefined>>

interface Invocation {
  readonly file: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  /** The whole environment; nothing is inherited beside it. */
  readonly env: ProcessEnv
}

/** How a command is started so that the system holds it back. Made by the Sandbox port, applied where it is spawned. */
export interface Confinement {
  /** The program that confines, and its arguments before those of the command. */
  readonly file: string
  readonly args: ReadonlyArray<string>
  /** On top of the command's own environment. */
  readonly env: ProcessEnv
  /** Files that it gets for reading, as descriptors from 3 on. */
  readonly inputs: ReadonlyArray<string>
  /** Takes our end of a two-way channel, which is the next descriptor; without it there is none. */
  readonly adopt?: (channel: NodeJS.ReadWriteStream) => void
  /** Runs when the command has been started. */
  readonly onStart?: (running: ConfinedCommand) => void
  /** Runs once: when the command has ended, or when it could not be started. */
  readonly onEnd: () => void
}

/** What a sandbox that no longer holds can do about its command. */
export interface ConfinedCommand {
  /** Ends everything in the sandbox at once. */
  readonly end: () => void
  /** Adds a line to the command's output, where that is kept in a file. */
  readonly say: (line: string) => void
}

export interface CommandSpec extends Invocation {
  /** Receives stdout and stderr in the order they were written. Created anew: mode 0600, directory 0700. */
  readonly outputPath: string
  /** A foreground command that writes more is ended. */
  readonly outputLimitBytes: number
  /** A private file, written before the start, read back at the end and removed: how a shell reports its directory. */
  readonly note?: { readonly path: string; readonly text: string }
  readonly confinement?: Confinement
}

export interface CommandExit {
  readonly code: number | null
  readonly signal: string | null
  /** What the note held at the end; null without a note. */
  readonly note: string | null
}

export interface OutputSnapshot {
  /** Everything written so far, also what is no longer in the file. */
  readonly totalBytes: number
  readonly totalLines: number
  /** The last few thousand bytes as text. */
  readonly tail: string
  /** The command was ended because it passed its output limit. */
  readonly overflowed: boolean
  /** Why output is missing from the file (a full disk), if it is. */
  readonly lost: string | null
}

/** A command in its own process group. Its owner is the registry behind the port, not the fiber that started it. */
export interface RunningCommand {
  readonly pid: number
  readonly outputPath: string
  /** Succeeds when the first process has ended and all it wrote before is in the file. */
  readonly exit: Effect.Effect<CommandExit>
  readonly snapshot: Effect.Effect<OutputSnapshot>
  /** Text of the first or last bytes of the file, cut at character boundaries, invalid UTF-8 replaced. */
  readonly readHead: (maxBytes: number) => Effect.Effect<string, ProcessFailure>
  readonly readTail: (maxBytes: number) => Effect.Effect<string, ProcessFailure>
  /** Sends SIGINT to the group at once; SIGTERM and SIGKILL follow by themselves while anything of it lives. */
  readonly beginCancel: Effect.Effect<void>
  /** The same, and waits until the whole group is gone. */
  readonly cancel: Effect.Effect<void>
  /** From now on a large output is rotated inside the file instead of ending the command. */
  readonly toBackground: Effect.Effect<void>
  /** Gives the output of an ended command a lasting place; more than `maxBytes` is cut with a note. */
  readonly keepOutput: (path: string, maxBytes: number) => Effect.Effect<void, ProcessFailure>
  readonly discardOutput: Effect.Effect<void>
}

export interface RunSpec extends Invocation {
  readonly timeoutMs: number
  /** Per stream; a program that writes more is ended. */
  readonly maxOutputBytes: number
  /** So much of each stream is kept; what comes after it is dropped. */
  readonly keepBytes?: number
  /** Hears the first line of stdout as soon as it is whole. */
  readonly onFirstLine?: (line: string) => void
  readonly stdin?: string
  readonly confinement?: Confinement
}

export interface RunResult {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
  readonly truncated: boolean
  readonly timedOut: boolean
}

/**
 * Starts programs, each in a new session: own process group, no terminal, stdin at its end. Every group stays
 * registered until nothing of it lives. Closing the scope of the service ends all of them, in a bounded time; nothing
 * survives the program.
 */
export class Process extends Context.Service<
  Process,
  {
    readonly start: (spec: CommandSpec) => Effect.Effect<RunningCommand, ProcessFailure>
    /** A private directory of this process for output that finds no place elsewhere; gone when the process ends. */
    readonly scratchDirectory: Effect.Effect<string, ProcessFailure>
    /** Runs a program without a shell and collects its output; interruption ends its group. */
    readonly run: (spec: RunSpec) => Effect.Effect<RunResult, ProcessFailure>
    /** The physical path of a directory; null when it is none. */
    readonly resolveDirectory: (path: string) => Effect.Effect<string | null>
  }
>()("nacre/ports/Process") {}
