/** The settings `sandbox.*` after decoding. Paths are absolute; `~` is already resolved. */
export interface SandboxSettings {
  /** True: required, and a command that cannot be confined does not run. Undefined and false: off. */
  readonly enabled: boolean | undefined
  readonly autoAllowBashIfSandboxed: boolean
  /** Whether a command may leave the sandbox after the user was asked. */
  readonly allowUnsandboxedCommands: boolean
  readonly failIfUnavailable: boolean
  /** Bash patterns of commands that run outside. A convenience, not a boundary. */
  readonly excludedCommands: ReadonlyArray<string>
  /** Texts of violations that are not worth a report, by a part of the command; `*` stands for every command. */
  readonly ignoreViolations: Readonly<Record<string, ReadonlyArray<string>>>
  /** For containers that do not let a new /proc be mounted. */
  readonly enableWeakerNestedSandbox: boolean
  readonly filesystem: {
    readonly allowWrite: ReadonlyArray<string>
    readonly denyWrite: ReadonlyArray<string>
    readonly allowRead: ReadonlyArray<string>
    readonly denyRead: ReadonlyArray<string>
  }
  readonly network: {
    readonly allowedDomains: ReadonlyArray<string>
    readonly deniedDomains: ReadonlyArray<string>
    readonly allowAllUnixSockets: boolean
    /** Hosts that no list names are refused without a question. */
    readonly strictAllowlist: boolean
    /** Only the administrator's lists and rules open anything. */
    readonly managedDomainsOnly: boolean
  }
  /** Only from managed settings: the program to use instead of the first `bwrap` in PATH. */
  readonly bwrapPath?: string
}

export const SANDBOX_OFF: SandboxSettings = {
  enabled: undefined,
  autoAllowBashIfSandboxed: true,
  allowUnsandboxedCommands: true,
  failIfUnavailable: false,
  excludedCommands: [],
  ignoreViolations: {},
  enableWeakerNestedSandbox: false,
  filesystem: { allowWrite: [], denyWrite: [], allowRead: [], denyRead: [] },
  network: {
    allowedDomains: [],
    deniedDomains: [],
    allowAllUnixSockets: false,
    strictAllowlist: false,
    managedDomainsOnly: false
  }
}
