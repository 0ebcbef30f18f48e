import { describe, expect, it } from "vitest"
import { availabilityFrom, type SandboxProbe } from "../../../src/core/sandbox/availability.ts"
import { SANDBOX_OFF } from "../../../src/core/sandbox/settings.ts"
import { badge, summarise } from "../../../src/core/sandbox/summary.ts"

const LINUX: SandboxProbe = { platform: "linux", architecture: "x64", isRoot: false, trial: { code: 0, stderr: "" } }

const failing = (stderr: string, facts: Partial<SandboxProbe> = {}): SandboxProbe => ({
  ...LINUX,
  ...facts,
  trial: { code: 1, stderr }
})

const NO_NAMESPACE = "bwrap: setting up uid map: Permission denied"

describe("whether the sandbox is available", () => {
  it.each<readonly [string, SandboxProbe, RegExp]>([
    ["no bubblewrap", { ...LINUX, trial: null }, /apt-get install bubblewrap/],
    ["AppArmor (scenario 14)", failing(NO_NAMESPACE, { apparmorRestricts: "1\n" }), /\/etc\/apparmor\.d\/bwrap/],
    ["Debian's switch", failing(NO_NAMESPACE, { namespacesAllowed: "0\n" }), /userns_clone=1/],
    ["no namespaces at all", failing(NO_NAMESPACE, { namespaceLimit: "0\n" }), /max_user_namespaces/],
    ["a container", failing(NO_NAMESPACE, { isRoot: true }), /seccomp=unconfined/],
    ["a nested /proc", failing("bwrap: Can't mount proc on /newroot/proc: EPERM"), /enableWeakerNested/],
    ["an old one", failing("bwrap: Unknown option --cap-drop"), /0\.5 or newer/],
    ["anything else", failing("bwrap: something new"), /nacre sandbox test/],
    ["a rare processor", { ...LINUX, architecture: "riscv64" }, /x64 or arm64/],
    ["Windows", { ...LINUX, platform: "win32" }, /WSL 2/],
    ["macOS without it", { ...LINUX, platform: "darwin", trial: null }, /sandbox-exec/]
  ])("%s has one fix", (_name, probe, fix) => {
    const answer = availabilityFrom(probe)
    expect(answer).toMatchObject({ available: false, fix: expect.stringMatching(fix) as string })
  })

  it("is a matter of trying", () => {
    expect(availabilityFrom(LINUX)).toEqual({ available: true })
    expect(availabilityFrom({ ...LINUX, platform: "darwin" })).toEqual({ available: true })
  })

  it("is summarised for decisions and the status bar", () => {
    const off = summarise(SANDBOX_OFF)
    expect(off).toEqual({ enabled: false, autoAllow: false, excluded: [], mayLeave: true })
    expect(badge(off, { available: true })).toBe("sandbox: off")
    const on = summarise({ ...SANDBOX_OFF, enabled: true, excludedCommands: ["docker *"] })
    expect(on).toEqual({ enabled: true, autoAllow: true, excluded: ["docker *"], mayLeave: true })
    expect(summarise({ ...SANDBOX_OFF, enabled: true, autoAllowBashIfSandboxed: false }).autoAllow).toBe(false)
    expect(badge(on, { available: true })).toBe("sandbox: on")
    expect(badge(on, { available: false, why: "w", fix: "f" })).toBe("sandbox: required, but unavailable (w. Fix: f)")
  })
})
