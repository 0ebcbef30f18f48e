/** Whether commands can be confined here, and if not, the one thing to do about it. */
export type SandboxAvailability =
  | { readonly available: true; readonly program?: string }
  | { readonly available: false; readonly why: string; readonly fix: string }

/** What the probe of the adapter saw. */
export interface SandboxProbe {
  readonly platform: string
  readonly architecture: string
  readonly isRoot: boolean
  /** The program that confines, where one was found. */
  readonly program?: string
  /** What came of running a harmless program in the sandbox: its exit code and words, or null when none was found. */
  readonly trial: { readonly code: number | null; readonly stderr: string } | null
  /** Texts of /proc/sys/kernel/apparmor_restrict_unprivileged_userns, kernel/unprivileged_userns_clone and
   * user/max_user_namespaces; undefined where the file is missing. */
  readonly apparmorRestricts?: string
  readonly namespacesAllowed?: string
  readonly namespaceLimit?: string
}

const works = ({ program }: SandboxProbe): SandboxAvailability => ({
  available: true,
  ...(program === undefined ? {} : { program })
})

const unavailable = (why: string, fix: string): SandboxAvailability => ({ available: false, why, fix })

const NAMESPACE_ERROR = /user ?ns|user namespace|uid map|Operation not permitted|Permission denied/i

const APPARMOR_FIX =
  "let bwrap make user namespaces by writing an AppArmor profile: " +
  "printf 'abi <abi/4.0>,\\ninclude <tunables/global>\\nprofile bwrap /usr/bin/bwrap flags=(unconfined) {\\n" +
  "  userns,\\n}\\n' | sudo tee /etc/apparmor.d/bwrap && sudo apparmor_parser -r /etc/apparmor.d/bwrap"

const isZero = (text: string | undefined): boolean => text?.trim() === "0"

const namespaceProblem = (probe: SandboxProbe, said: string): SandboxAvailability => {
  if (probe.apparmorRestricts?.trim() === "1") {
    return unavailable("AppArmor forbids user namespaces to unprivileged programs", APPARMOR_FIX)
  }
  if (isZero(probe.namespacesAllowed)) {
    const fix = "run: sudo sysctl -w kernel.unprivileged_userns_clone=1"
    return unavailable("the kernel forbids unprivileged user namespaces", fix)
  }
  if (isZero(probe.namespaceLimit)) {
    return unavailable("no user namespace may be made", "run: sudo sysctl -w user.max_user_namespaces=15000")
  }
  const who = probe.isRoot ? "root" : "this account"
  return unavailable(
    `${who} may not make user namespaces here (${said}), as in most containers`,
    "start the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
  )
}

const linuxAvailability = (probe: SandboxProbe): SandboxAvailability => {
  if (probe.architecture !== "x64" && probe.architecture !== "arm64") {
    return unavailable(`there is no system call filter for ${probe.architecture}`, "use an x64 or arm64 machine")
  }
  if (probe.trial === null) {
    const fix = "run: sudo apt-get install bubblewrap (or your system's command for it)"
    return unavailable("bubblewrap is not installed", fix)
  }
  if (probe.trial.code === 0) return works(probe)
  const said = probe.trial.stderr.trim().split("\n").at(-1) ?? ""
  if (/proc/i.test(said) && /mount/i.test(said)) {
    return unavailable(
      `this container does not let a new /proc be mounted (${said})`,
      "set sandbox.enableWeakerNestedSandbox to true"
    )
  }
  if (/unknown option/i.test(said)) {
    return unavailable(`this bubblewrap is too old (${said})`, "install bubblewrap 0.5 or newer")
  }
  return NAMESPACE_ERROR.test(said)
    ? namespaceProblem(probe, said)
    : unavailable(`bubblewrap failed: ${said || `exit code ${probe.trial.code}`}`, "run: nacre sandbox test")
}

export const availabilityFrom = (probe: SandboxProbe): SandboxAvailability => {
  if (probe.platform === "linux") return linuxAvailability(probe)
  if (probe.platform !== "darwin") {
    return unavailable(`there is no sandbox for ${probe.platform}`, "use Linux, macOS or WSL 2")
  }
  return probe.trial?.code === 0
    ? works(probe)
    : unavailable("/usr/bin/sandbox-exec does not run", "check that /usr/bin/sandbox-exec exists and is executable")
}
