import { settingOf } from "../../../../core/settings/snapshot.ts"
import type { Cmd } from "../../../../tui/model/cmd.ts"
import type { PerformContext } from "../context/command-context.ts"

/** Calls the user back to the terminal, and never often. */

const QUIET_MS = 10_000

type Channel = "notify" | "bell" | "both" | "none"

/** Which sequence a notification is, the terminal's capabilities say; the setting says whether there is one. */
const CHANNELS: ReadonlyMap<unknown, Channel> = new Map<unknown, Channel>([
  ["terminal_bell", "bell"],
  ["iterm2_with_bell", "both"],
  ["notifications_disabled", "none"]
])

export class Notifier {
  private readonly lastAt = new Map<string, number>()

  constructor(
    private readonly context: PerformContext,
    private readonly now: () => number = Date.now
  ) {}

  /** One of a kind about a session in ten seconds; the body names the session. */
  notify({ title, body, kind }: Extract<Cmd, { readonly _tag: "Notify" }>): void {
    const key = `${kind}/${body}`
    const now = this.now()
    if (now - (this.lastAt.get(key) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return
    this.lastAt.set(key, now)
    const { sendOutOfBand } = this.context.terminal
    const channel = this.channel()
    if (channel === "notify" || channel === "both") sendOutOfBand({ op: "Notify", title, body })
    if (channel === "bell" || channel === "both") sendOutOfBand({ op: "Bell" })
  }

  private channel(): Channel {
    const { snapshot } = this.context.plan.settings.current()
    return CHANNELS.get(settingOf(snapshot, "preferredNotifChannel")) ?? "notify"
  }
}
