/** A plan as a profile of macOS's sandbox-exec. The last rule that matches decides. */
import { componentsOf, parentOf } from "../../domain/path/path-components.ts"
import { type Mount, mountsOf } from "../mounts.ts"
import type { SandboxPlan } from "../plan.ts"

/** A text of the profile language. */
const quoted = (text: string): string => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`

const filter = ({ path, kind }: Pick<Mount, "path" | "kind">): string =>
  kind === "directory" ? `(subpath ${quoted(path)})` : `(literal ${quoted(path)})`

const mountRules = (mount: Mount): ReadonlyArray<string> => {
  if (mount.access === "write") return [`(allow file-read* file-write* ${filter(mount)})`]
  if (mount.access === "none") return [`(deny file-read* file-write* ${filter(mount)})`]
  // What does not exist may come to exist as a file or as a directory.
  const target = mount.missing ? { ...mount, kind: "directory" as const } : mount
  return [`(allow file-read* ${filter(target)})`, `(deny file-write* ${filter(target)})`]
}

const ancestorsOf = (path: string): ReadonlyArray<string> =>
  componentsOf(path).length <= 1 ? [] : [parentOf(path), ...ancestorsOf(parentOf(path))]

/** Renaming a directory above a closed path would leave the place free for another one. */
const pins = (mounts: ReadonlyArray<Mount>): ReadonlyArray<string> =>
  [...new Set(mounts.filter(({ access }) => access !== "write").flatMap(({ path }) => ancestorsOf(path)))]
    .toSorted()
    .map((path) => `(deny file-write-unlink (literal ${quoted(path)}))`)

const ALWAYS = [
  "(version 1)",
  "(deny default)",
  "(allow process-exec)",
  "(allow process-fork)",
  "(allow process-info* (target same-sandbox))",
  "(allow signal (target same-sandbox))",
  "(allow sysctl-read)",
  "(allow file-read*)",
  '(allow file-ioctl (literal "/dev/null") (literal "/dev/tty"))',
  '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper"))',
  "(allow ipc-posix-sem)",
  '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
  '(allow mach-lookup (global-name "com.apple.system.logger"))',
  "(allow user-preference-read)"
]

export interface SeatbeltOptions {
  readonly writableFiles: ReadonlyArray<string>
}

export const seatbeltProfile = (plan: SandboxPlan, options: SeatbeltOptions): string => {
  const mounts = mountsOf(plan)
  return [
    ...ALWAYS,
    ...mounts.flatMap(mountRules),
    ...options.writableFiles.map((path) => `(allow file-write* (literal ${quoted(path)}))`),
    ...pins(mounts),
    "(deny network*)",
    ...(plan.unixSockets ? ["(allow network* (local unix-socket))", "(allow network* (remote unix-socket))"] : []),
    ""
  ].join("\n")
}
