export interface SignalHandlers {
  /** Ctrl-C. False when there is nothing left to interrupt; then the program ends at once. */
  readonly interrupt: () => boolean
  /** Somebody wants the program gone; the exit code names the signal. */
  readonly terminate: (code: number) => void
}

const HANG_UP = 129
const INTERRUPTED = 130
const TERMINATED = 143

/** Connects the process's signals; the returned function disconnects them. */
export const onTerminationSignals = (handlers: SignalHandlers): (() => void) => {
  const onInterrupt = (): void => {
    if (!handlers.interrupt()) process.exit(INTERRUPTED)
  }
  const onTerminate = (): void => handlers.terminate(TERMINATED)
  const onHangUp = (): void => handlers.terminate(HANG_UP)
  process.on("SIGINT", onInterrupt)
  process.on("SIGTERM", onTerminate)
  process.on("SIGHUP", onHangUp)
  return () => {
    process.off("SIGINT", onInterrupt)
    process.off("SIGTERM", onTerminate)
    process.off("SIGHUP", onHangUp)
  }
}
