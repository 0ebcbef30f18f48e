import type { View } from "./conversation-lines.ts"

/** What a reader of a transcript had to leave out or put right, reported once per load. */
export interface ScanReport {
  readonly lines: number
  /** Lines that are not a JSON object, a torn last line included. */
  readonly invalid: number
  /** The file does not end with a whole line. */
  readonly tornTail: boolean
  /** Lines over the size limit, which are not read at all. */
  readonly oversized: number
}

export interface Notice {
  readonly kind: "incomplete" | "oversized" | "repaired" | "unknown-type" | "unreadable" | "beyond"
  readonly count: number
  readonly text: string
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

interface Findings {
  readonly scan: ScanReport
  readonly view: Pick<View, "repaired" | "bridged" | "beyond">
  readonly unreadable: number
}

export const noticesOf = ({ scan, view, unreadable }: Findings): ReadonlyArray<Notice> => {
  const all: ReadonlyArray<Notice> = [
    {
      kind: "incomplete",
      count: scan.invalid,
      text: `${counted(scan.invalid, "incomplete line", "incomplete lines")} skipped`
    },
    {
      kind: "oversized",
      count: scan.oversized,
      text: `${counted(scan.oversized, "line", "lines")} over 64 MiB skipped`
    },
    {
      kind: "repaired",
      count: view.repaired,
      text: `${counted(view.repaired, "broken link", "broken links")} in the conversation repaired`
    },
    {
      kind: "unknown-type",
      count: view.bridged,
      text: `${counted(view.bridged, "line", "lines")} of an unknown kind left out, written by another program`
    },
    {
      kind: "unreadable",
      count: unreadable,
      text: `${counted(unreadable, "message", "messages")} without readable content left out`
    },
    {
      kind: "beyond",
      count: view.beyond,
      text: `the oldest ${counted(view.beyond, "line", "lines")} of the conversation not loaded: no request can hold them`
    }
  ]
  return all.filter((notice) => notice.count > 0)
}
