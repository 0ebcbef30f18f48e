import type { ReplayReport } from "./replay.ts"

/** One or two sentences about a replay, for the terminal. */
export const describeReplay = (file: string, report: ReplayReport): string => {
  switch (report._tag) {
    case "Agreed":
      return `${file}: ${report.events} events replayed, every ${report.withStates ? "state and command" : "command"} as recorded (${report.messages} messages, ${report.phase})`
    case "Differed":
      return `${file}:${report.line}: event ${report.seq} (${report.event}) does not replay: ${report.why}`
    case "Outdated":
      return `${file}:${report.line}: replays no further than to here, ${report.before} events: in Nacre ${report.version}, which recorded it, ${report.why} (${report.event}). Fix: replay it with that version`
    case "Unreadable":
      return `${file}:${report.line}: ${report.why}`
  }
}
