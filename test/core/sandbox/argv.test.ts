import { describe, expect, it } from "vitest"
import { bwrapArguments } from "../../../src/core/sandbox/platform/bwrap.ts"
import { NO_NETWORK } from "../../../src/core/sandbox/network.ts"
import type { SandboxPlan } from "../../../src/core/sandbox/plan.ts"
import { seatbeltProfile } from "../../../src/core/sandbox/platform/seatbelt.ts"

/** One plan with something of everything, in both languages. */
const PLAN: SandboxPlan = {
  writable: ["/work/app", "/tmp/n/tmp"],
  holes: [
    { path: "/work/app/.git/config", kind: "file" },
    { path: "/work/app/.claude", kind: "directory" }
  ],
  masked: ["/work/app/.mcp.json"],
  pinned: ["/work/app/.git"],
  hidden: [
    { path: "/home/me/.ssh", kind: "directory" },
    { path: "/home/me/.netrc", kind: "file" }
  ],
  shown: [{ path: "/home/me/.ssh/known_hosts", kind: "file" }],
  network: NO_NETWORK,
  unixSockets: false,
  problems: []
}

describe("a plan as arguments of bubblewrap", () => {
  it("isolates, mounts from outside to inside, and closes what was emptied last", () => {
    const options = { cwd: "/work/app", filterDescriptor: 3, writableFiles: ["/s/note"], keepProc: false }
    const args = bwrapArguments(PLAN, options)
    expect(args.join(" ").replaceAll(" --", "\n--").split("\n")).toEqual([
      "--unshare-user",
      "--unshare-pid",
      "--unshare-ipc",
      "--unshare-uts",
      "--unshare-cgroup-try",
      "--unshare-net",
      "--cap-drop ALL",
      "--new-session",
      "--die-with-parent",
      "--ro-bind / /",
      "--dev /dev",
      "--proc /proc",
      "--bind /work/app /work/app",
      "--ro-bind /dev/null /home/me/.netrc",
      "--tmpfs /home/me/.ssh",
      "--bind /tmp/n/tmp /tmp/n/tmp",
      "--ro-bind /work/app/.claude /work/app/.claude",
      "--bind /work/app/.git /work/app/.git",
      "--ro-bind /work/app/.mcp.json /work/app/.mcp.json",
      "--ro-bind /home/me/.ssh/known_hosts /home/me/.ssh/known_hosts",
      "--ro-bind /work/app/.git/config /work/app/.git/config",
      "--bind /s/note /s/note",
      "--remount-ro /home/me/.ssh",
      "--remount-ro /proc",
      "--chdir /work/app",
      "--seccomp 3",
      "--"
    ])
  })

  it("leaves /proc alone where a new one cannot be mounted; it is read-only there already", () => {
    const args = bwrapArguments(PLAN, { cwd: "/", writableFiles: [], keepProc: true })
    expect(args).not.toContain("/proc")
    expect(args).not.toContain("--seccomp")
  })
})

describe("a plan as a seatbelt profile", () => {
  const profile = seatbeltProfile(PLAN, { writableFiles: ["/s/note"] })

  it("denies by default and says every mount once, outer ones first", () => {
    const own = profile.split("\n").filter((line) => /\/(?:work|home|tmp\/n|s)\b/.test(line) && !line.includes("unlink"))
    expect(profile).toContain("(deny default)")
    expect(own).toEqual([
      '(allow file-read* file-write* (subpath "/work/app"))',
      '(deny file-read* file-write* (literal "/home/me/.netrc"))',
      '(deny file-read* file-write* (subpath "/home/me/.ssh"))',
      '(allow file-read* file-write* (subpath "/tmp/n/tmp"))',
      '(allow file-read* (subpath "/work/app/.claude"))',
      '(deny file-write* (subpath "/work/app/.claude"))',
      '(allow file-read* file-write* (subpath "/work/app/.git"))',
      '(allow file-read* (subpath "/work/app/.mcp.json"))',
      '(deny file-write* (subpath "/work/app/.mcp.json"))',
      '(allow file-read* (literal "/home/me/.ssh/known_hosts"))',
      '(deny file-write* (literal "/home/me/.ssh/known_hosts"))',
      '(allow file-read* (literal "/work/app/.git/config"))',
      '(deny file-write* (literal "/work/app/.git/config"))',
      '(allow file-write* (literal "/s/note"))'
    ])
  })

  it("keeps directories above closed paths from being renamed, and has no network", () => {
    for (const above of ["/work", "/work/app", "/work/app/.git", "/home/me"]) {
      expect(profile).toContain(`(deny file-write-unlink (literal "${above}"))`)
    }
    expect(profile.trimEnd().split("\n").at(-1)).toBe("(deny network*)")
    expect(seatbeltProfile({ ...PLAN, unixSockets: true }, { writableFiles: [] })).toContain("unix-socket")
  })

  it("cannot be broken out of by a name", () => {
    const hostile = '/work/a" (allow default) "\\'
    const text = seatbeltProfile({ ...PLAN, writable: [hostile] }, { writableFiles: [] })
    expect(text).toContain('(subpath "/work/a\\" (allow default) \\"\\\\")')
  })
})
