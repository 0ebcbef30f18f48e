/** A plan as arguments of bubblewrap. */
import { type Mount, mountsOf } from "../mounts.ts"
import type { SandboxPlan } from "../plan.ts"

export interface BwrapOptions {
  readonly cwd: string
  /** Descriptor from which bubblewrap reads the system call filter; only a trial goes without. */
  readonly filterDescriptor?: number
  /** Single files that the command may write wherever they are. */
  readonly writableFiles: ReadonlyArray<string>
  /** Leave /proc as it is, for containers that do not let a new one be mounted. */
  readonly keepProc: boolean
}

/**
 * New user, process, IPC, host name, control group and network namespaces; no capabilities; a session of its own; ended
 * with the program that started it. bubblewrap itself forbids new privileges.
 */
const ISOLATION = [
  "--unshare-user",
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--unshare-cgroup-try",
  "--unshare-net",
  "--cap-drop",
  "ALL",
  "--new-session",
  "--die-with-parent"
]

const mountArguments = ({ path, kind, access }: Mount): ReadonlyArray<string> => {
  if (access === "write") return ["--bind", path, path]
  if (access === "read") return ["--ro-bind", path, path]
  return kind === "directory" ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path]
}

/**
 * Closed last, because mounts inside them need a place to stand on: emptied directories, and /proc, where one who is
 * root outside could otherwise change settings of the kernel.
 */
const closing = (mounts: ReadonlyArray<Mount>, keepProc: boolean): ReadonlyArray<string> => [
  ...mounts.flatMap(({ path, kind, access }) => (access === "none" && kind === "directory" ? ["--remount-ro", path] : [])),
  ...(keepProc ? [] : ["--remount-ro", "/proc"])
]

/** Everything before the program's name. Masked paths must have their placeholders by now. */
export const bwrapArguments = (plan: SandboxPlan, options: BwrapOptions): ReadonlyArray<string> => {
  const mounts = mountsOf(plan)
  return [
    ...ISOLATION,
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    ...(options.keepProc ? [] : ["--proc", "/proc"]),
    ...mounts.flatMap(mountArguments),
    ...options.writableFiles.flatMap((path) => ["--bind", path, path]),
    ...closing(mounts, options.keepProc),
    "--chdir",
    options.cwd,
    ...(options.filterDescriptor === undefined ? [] : ["--seccomp", String(options.filterDescriptor)]),
    "--"
  ]
}
