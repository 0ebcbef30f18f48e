import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { filterProgram, type FilterOptions } from "../../../../src/core/sandbox/platform/seccomp.ts"

/** The few instructions of the kernel's filter machine that the filter uses. */
interface Call {
  readonly architecture: number
  readonly number: number
  readonly args: ReadonlyArray<number>
}

const judge = (options: FilterOptions, call: Call) => {
  const bytes = filterProgram(options)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const words: Readonly<Record<number, number>> = {
    0: call.number,
    4: call.architecture,
    ...Object.fromEntries(call.args.map((value, index) => [16 + 8 * index, value]))
  }
  let loaded = 0
  for (let at = 0; at * 8 < bytes.length; at++) {
    const code = view.getUint16(at * 8, true)
    const value = view.getUint32(at * 8 + 4, true)
    if (code === 0x20) loaded = words[value] ?? 0
    else if (code === 0x54) loaded = (loaded & value) >>> 0
    else if (code === 0x06) return value
    else if (code === 0x15) at += view.getUint8(at * 8 + (loaded === value ? 2 : 3))
    else if (code === 0x45) at += view.getUint8(at * 8 + ((loaded & value) === 0 ? 3 : 2))
    else if (code === 0x35) at += view.getUint8(at * 8 + (loaded >= value ? 2 : 3))
    else throw new Error(`unknown instruction ${code}`)
  }
  throw new Error("the program ends without an answer")
}

const ALLOW = 0x7fff_0000
const REFUSE = 0x0005_0001
const NO_SUCH_CALL = 0x0005_0026
const KILL = 0x8000_0000
const X64 = 0xc000_003e
const ARM64 = 0xc000_00b7
const I386 = 0x4000_0003

const on =
  (architecture: "x64" | "arm64", unixSockets = false) =>
  (number: number, ...args: ReadonlyArray<number>) =>
    judge({ architecture, unixSockets }, { architecture: architecture === "x64" ? X64 : ARM64, number, args })

describe("the system call filter", () => {
  it.each([
    ["x64", 101, 41],
    ["arm64", 117, 198]
  ] as const)("on %s refuses ptrace, rings and sockets that lead out", (architecture, ptrace, socket) => {
    const answer = on(architecture)
    expect(answer(ptrace)).toBe(REFUSE)
    for (const number of [425, 426, 427, 438]) expect(answer(number)).toBe(REFUSE)
    for (const family of [2, 10, 16]) expect(answer(socket, family)).toBe(ALLOW)
    for (const family of [0, 1, 17, 31, 38, 40, 44]) expect(answer(socket, family), `family ${family}`).toBe(REFUSE)
    expect(on(architecture, true)(socket, 1)).toBe(ALLOW)
    for (const number of [0, 1, 2, 56, 59, 60, 231]) expect(answer(number)).toBe(ALLOW)
  })

  it.each([
    ["x64", 53],
    ["arm64", 199]
  ] as const)("on %s makes only pairs of sockets that stay connected", (architecture, socketpair) => {
    const [NONBLOCK, CLOEXEC] = [0x800, 0x8_0000]
    for (const flags of [0, NONBLOCK, CLOEXEC, NONBLOCK | CLOEXEC]) {
      for (const type of [1, 5]) expect(on(architecture)(socketpair, 1, type | flags)).toBe(ALLOW)
      // Datagrams, and the raw type that the kernel takes for the same.
      for (const type of [0, 2, 3, 4]) expect(on(architecture)(socketpair, 1, type | flags)).toBe(REFUSE)
    }
    expect(on(architecture, true)(socketpair, 1, 2)).toBe(ALLOW)
  })

  it.each([
    ["x64", { unshare: 272, clone: 56, mount: 165, fchmodat: 268, openat: 257 }],
    ["arm64", { unshare: 97, clone: 220, mount: 40, fchmodat: 53, openat: 56 }]
  ] as const)("on %s makes no user namespaces and mounts nothing", (architecture, { unshare, clone, mount }) => {
    const answer = on(architecture)
    const [NEWUSER, NEWNS, THREAD] = [0x1000_0000, 0x2_0000, 0x3d_0f00]
    for (const number of [unshare, clone]) {
      expect(answer(number, NEWUSER)).toBe(REFUSE)
      expect(answer(number, NEWUSER | NEWNS)).toBe(REFUSE)
      expect(answer(number, NEWNS)).toBe(ALLOW)
    }
    expect(answer(clone, THREAD)).toBe(ALLOW)
    expect(answer(435)).toBe(NO_SUCH_CALL)
    for (const number of [mount, 428, 429, 430, 442]) expect(answer(number)).toBe(REFUSE)
  })

  it.each([
    ["x64", { fchmodat: 268, openat: 257 }],
    ["arm64", { fchmodat: 53, openat: 56 }]
  ] as const)("on %s leaves no file that lends its owner's rights", (architecture, { fchmodat, openat }) => {
    const answer = on(architecture)
    const [CREATE, TEMPORARY, WRITE] = [0x40, 0x40_0000, 1]
    for (const mode of [0o4755, 0o4000, 0o6755]) {
      for (const number of [fchmodat, 452]) expect(answer(number, 0, 0, mode)).toBe(REFUSE)
      for (const flags of [CREATE | WRITE, TEMPORARY | WRITE]) expect(answer(openat, 0, 0, flags, mode)).toBe(REFUSE)
      // Without one of these flags there is no mode, and whatever stands in its place means nothing.
      expect(answer(openat, 0, 0, WRITE, mode)).toBe(ALLOW)
    }
    for (const mode of [0o644, 0o755, 0o1777, 0o2775]) {
      expect(answer(fchmodat, 0, 0, mode)).toBe(ALLOW)
      expect(answer(openat, 0, 0, CREATE | WRITE, mode)).toBe(ALLOW)
    }
    expect(answer(437)).toBe(NO_SUCH_CALL)
  })

  it("ends a process that calls in another architecture's way, and refuses the 32-bit flavour", () => {
    const options: FilterOptions = { architecture: "x64", unixSockets: false }
    expect(judge(options, { architecture: I386, number: 102, args: [1] })).toBe(KILL)
    expect(judge(options, { architecture: ARM64, number: 0, args: [] })).toBe(KILL)
    expect(on("x64")(0x4000_0000 | 41, 1)).toBe(REFUSE)
  })

  it("always answers, whatever is called", () => {
    fc.assert(
      fc.property(fc.nat({ max: 0xffff_ffff }), fc.nat({ max: 0xffff_ffff }), fc.boolean(), (number, first, unix) => {
        expect([ALLOW, REFUSE, NO_SUCH_CALL]).toContain(on("x64", unix)(number, first))
      })
    )
  })
})
