import type { CmdOf } from "../../../../tui/model/cmd.ts"
import type { HistoryEntry } from "../../../../tui/prompt/model.ts"
import {
  appendHistory,
  MOST_BYTES,
  MOST_ENTRIES,
  readHistory,
  removeFromHistory,
  SOON_BYTES
} from "../../stores/history-file.ts"
import { readPaste } from "../../stores/paste-cache.ts"
import { messageOf, type PerformContext } from "../context/command-context.ts"

/** The history as the sessions of this process share it: read once, then kept in step with what is sent. */
export class PromptHistory {
  private entries: ReadonlyArray<HistoryEntry> = []
  private isRead = false
  private newestTime = 0
  private readonly readers = new Set<string>()

  constructor(private readonly context: PerformContext) {}

  /** The newest part at once; a longer file follows when nothing else waits. */
  load(session: string): void {
    this.readers.add(session)
    const hasMore = !this.isRead && this.read(SOON_BYTES)
    this.isRead = true
    this.tell(session)
    if (!hasMore) return
    setImmediate(() => {
      this.read(MOST_BYTES)
      this.tellAll()
    })
  }

  remember({ session, display, chips }: CmdOf<"Remember">): void {
    const { plan, sessions } = this.context
    if (display.trim() === "") return
    const project = sessions.get(session)?.facts.cwd ?? plan.cwd
    const entry: HistoryEntry = { display, chips, timestamp: this.nextTime(), project, sessionId: session }
    try {
      this.add(appendHistory(entry, plan))
    } catch (error) {
      this.add(entry)
      const fix = `Fix: make ${plan.configHome} writable`
      this.context.notice(`the history was not written (${messageOf(error)}). ${fix}`, "warning")
    }
    this.tellAll()
  }

  /** A prompt that nobody answered went back to where it was typed: the file says so in a line of its own. */
  unremember({ session, display }: CmdOf<"Unremember">): void {
    const found = this.entries.find((entry) => entry.sessionId === session && entry.display.trim() === display.trim())
    if (found === undefined) return
    this.entries = this.entries.filter((entry) => entry !== found)
    try {
      removeFromHistory(found, this.context.plan)
    } catch (error) {
      this.context.notice(`the history was not written (${messageOf(error)})`, "warning")
    }
    this.tellAll()
  }

  /** What the prompt of a session shows again of it. A paste that is gone is not among the texts. */
  readPastes({ session, stored }: CmdOf<"ReadPastes">): void {
    const texts = new Map(
      stored.flatMap((name) => {
        const text = readPaste(this.context.plan.configHome, name)
        return text === undefined ? [] : [[name, text] as const]
      })
    )
    this.context.tell({ _tag: "PastesRead", session, texts })
  }

  /** The file withdraws an entry by its time and its session: no two that are sent here share a time. */
  private nextTime(): number {
    this.newestTime = Math.max(Date.now(), this.newestTime + 1)
    return this.newestTime
  }

  private add(entry: HistoryEntry): void {
    this.entries = newestOf([entry, ...this.entries])
  }

  forget(session: string): void {
    this.readers.delete(session)
  }

  private read(maxBytes: number): boolean {
    try {
      const { entries, hasMore } = readHistory(this.context.plan.configHome, maxBytes)
      const written = new Set(entries.map(keyOf))
      const unwritten = this.entries.filter((entry) => !written.has(keyOf(entry)))
      this.entries = newestOf([...unwritten, ...entries].toSorted((a, b) => b.timestamp - a.timestamp))
      return hasMore
    } catch (error) {
      this.context.notice(`the history could not be read: ${messageOf(error)}`, "warning")
      return false
    }
  }

  private tell(session: string): void {
    this.context.tell({ _tag: "HistoryLoaded", session, entries: this.entries })
  }

  private tellAll(): void {
    for (const session of this.readers) this.tell(session)
  }
}

const charsOf = ({ display, chips }: HistoryEntry): number =>
  chips.reduce((sum, chip) => sum + (chip._tag === "Paste" ? (chip.text?.length ?? 0) : 0), display.length)

/** As many of the newest as are kept in memory; the newest always is, whatever was pasted into it. */
const newestOf = (entries: ReadonlyArray<HistoryEntry>): ReadonlyArray<HistoryEntry> => {
  let chars = 0
  const end = entries.findIndex(
    (entry, index) => index > 0 && (index >= MOST_ENTRIES || (chars += charsOf(entry)) > MOST_BYTES)
  )
  return end < 0 ? entries : entries.slice(0, end)
}

const keyOf = ({ timestamp, sessionId, display }: HistoryEntry): string => `${timestamp}/${sessionId}/${display}`
