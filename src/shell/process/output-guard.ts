/** What is printed may be lost: the disk is full, or whoever reads has gone. Neither may end in a stack trace. */

const codeOf = (error: NodeJS.ErrnoException): string => error.code ?? error.message

/** A reader that has seen enough, as `head` has, is not a failure. */
export const isReaderGone = (error: NodeJS.ErrnoException): boolean => error.code === "EPIPE"

export const lostOutput = (error: NodeJS.ErrnoException): string =>
  `nacre: the output could not be written (${codeOf(error)}). Fix: make room, or write it elsewhere\n`

/** Nobody is left to read it. */
export const guardErrors = (): void => {
  process.stderr.on("error", () => {})
}

/** For whatever prints and ends: what was lost is reported, and shows in the exit code. */
export const guardOutput = (): void => {
  guardErrors()
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (isReaderGone(error)) return
    process.stderr.write(lostOutput(error))
    process.on("exit", () => {
      process.exitCode = 1
    })
  })
}
