import type { LineAnswerer } from "./line-worker.ts"

/** What a command of the command line works with, so that tests can run it in place. */
export interface CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string
  /** Whether somebody can type. */
  readonly stdinIsTerminal: boolean
  /** Lines of the input without their ends, those together that came together. */
  readonly lineBlocks: () => AsyncIterable<ReadonlyArray<string>>
  /** Asks whoever sits at the terminal for something that is not shown; empty when there is no answer. */
  readonly secret: (question: string) => Promise<string>
  /** Somebody who answers lines of the same command beside us, where there is a processor for it. */
  readonly secondThread?: (args: ReadonlyArray<string>) => Promise<LineAnswerer | undefined>
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}
