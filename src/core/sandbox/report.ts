/** What is on, what it means for commands here, and what it stands on: for `nacre sandbox status` and `/sandbox`. */
import type { SandboxAvailability } from "./availability.ts"
import type { SandboxSettings } from "./settings.ts"

/** Everything the report speaks of. */
export interface SandboxLook {
  readonly settings: SandboxSettings
  readonly availability: SandboxAvailability
  readonly workingDirs: ReadonlyArray<string>
  /** Hosts of settings and rules together. */
  readonly allowedHosts: ReadonlyArray<string>
  readonly deniedHosts: ReadonlyArray<string>
  readonly unknownHosts: "ask" | "deny"
}

export interface ReportGroup {
  readonly name: string
  readonly lines: ReadonlyArray<readonly [label: string, text: string]>
}

const listed = (texts: ReadonlyArray<string>): string => (texts.length === 0 ? "none" : texts.join(", "))

const dependencies = (availability: SandboxAvailability): ReportGroup["lines"] =>
  availability.available
    ? [["isolation", `${availability.program ?? "the system's own"} works`]]
    : [
        ["isolation", availability.why],
        ["fix", availability.fix]
      ]

/** What commands may do. It is what the settings say, whether it is on or not. */
export const sandboxReport = ({ settings, availability, ...look }: SandboxLook): ReadonlyArray<ReportGroup> => {
  const { filesystem, network, excludedCommands } = settings
  return [
    { name: "dependencies", lines: dependencies(availability) },
    {
      name: "files",
      lines: [
        ["may write", listed([...look.workingDirs, "$TMPDIR", ...filesystem.allowWrite])],
        ["may not write", listed(["what tools act on (.git/hooks, .claude, .mcp.json ...)", ...filesystem.denyWrite])],
        ["may not read", listed(["credentials (~/.ssh, ~/.aws ...)", ...filesystem.denyRead])],
        ...(filesystem.allowRead.length === 0 ? [] : ([["may read", listed(filesystem.allowRead)]] as const))
      ]
    },
    {
      name: "network",
      lines: [
        ["allowed hosts", listed(look.allowedHosts)],
        ["denied hosts", listed(look.deniedHosts)],
        ["other hosts", look.unknownHosts === "ask" ? "you are asked" : "refused"],
        ["unix sockets", network.allowAllUnixSockets ? "open" : "closed"]
      ]
    },
    { name: "outside", lines: [["always outside", listed(excludedCommands)]] }
  ]
}
