/** The numbers of the system calls that the filter looks at, and which of them are refused. */
export type FilteredArchitecture = "x64" | "arm64"

/** Bits of an argument, which is counted from 0. Flags and modes of the kernel fit in the lower word. */
export interface Bits {
  readonly argument: number
  readonly anyOf: number
}

/** Refused when each of the arguments has one of its bits. */
export interface Conditional {
  readonly number: number
  readonly when: ReadonlyArray<Bits>
}

export interface Calls {
  readonly socket: number
  readonly socketpair: number
  /**
   * Reaching into other processes, rings that pass the filter by, changing what is mounted, and parts of the kernel no
   * build needs.
   */
  readonly refused: ReadonlyArray<number>
  /** They hide what they ask for behind a pointer. Programs fall back to the older call when there is no such one. */
  readonly absent: ReadonlyArray<number>
  readonly conditional: ReadonlyArray<Conditional>
}

const NEW_USER_NAMESPACE = 0x1000_0000
/** A file that gives whoever runs it the rights of its owner would outlive the sandbox. */
const SET_USER_ID = 0o4000
/** Only what creates a file has a mode: O_CREAT, O_TMPFILE. */
const CREATING = 0x40 | 0x40_0000

const bits = (argument: number, anyOf: number): Bits => ({ argument, anyOf })

/** Inside a user namespace of its own a process has every right over the kernel's less trodden paths. */
const namespaces = (unshare: number, clone: number): ReadonlyArray<Conditional> =>
  [unshare, clone].map((number) => ({ number, when: [bits(0, NEW_USER_NAMESPACE)] }))

const setsMode = (number: number, argument: number): Conditional => ({ number, when: [bits(argument, SET_USER_ID)] })

const creates = (number: number, flags: number): Conditional => ({
  number,
  when: [bits(flags, CREATING), bits(flags + 1, SET_USER_ID)]
})

/** io_uring_setup, io_uring_enter, io_uring_register, pidfd_getfd. */
const RINGS = [425, 426, 427, 438]
/** open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr. */
const MOUNTS = [428, 429, 430, 431, 432, 433, 442]
/** clone3, openat2. */
const BEHIND_POINTERS = [435, 437]
const FCHMODAT2 = 452

export const CALLS: Readonly<Record<FilteredArchitecture, Calls>> = {
  // ptrace, process_vm_readv, process_vm_writev, kexec_load, add_key, request_key, keyctl, perf_event_open, bpf,
  // userfaultfd, mount, umount2, pivot_root, setns, open_by_handle_at, then those with the same number everywhere.
  x64: {
    socket: 41,
    socketpair: 53,
    refused: [101, 310, 311, 246, 248, 249, 250, 298, 321, 323, 165, 166, 155, 308, 304, ...RINGS, ...MOUNTS],
    absent: BEHIND_POINTERS,
    // chmod, fchmod, fchmodat, creat, mknod, mknodat; open, openat.
    conditional: [
      ...namespaces(272, 56),
      setsMode(90, 1),
      setsMode(91, 1),
      setsMode(268, 2),
      setsMode(FCHMODAT2, 2),
      setsMode(85, 1),
      setsMode(133, 1),
      setsMode(259, 2),
      creates(2, 1),
      creates(257, 2)
    ]
  },
  arm64: {
    socket: 198,
    socketpair: 199,
    refused: [117, 270, 271, 104, 217, 218, 219, 241, 280, 282, 40, 39, 41, 268, 265, ...RINGS, ...MOUNTS],
    absent: BEHIND_POINTERS,
    // fchmod, fchmodat, mknodat; openat.
    conditional: [
      ...namespaces(97, 220),
      setsMode(52, 1),
      setsMode(53, 2),
      setsMode(FCHMODAT2, 2),
      setsMode(33, 2),
      creates(56, 2)
    ]
  }
}
