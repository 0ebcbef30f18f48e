import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { filterProgram, type FilterOptions } from "../../../src/core/sandbox/seccomp.ts"

/** The few instructions of the kernel's filter machine that the filter uses. */
interface Call {
  readonly architecture: number
  readonly number: number
  readonly first: number
  readonly second?: number
}

const judge = (options: FilterOptions, call: Call) => {
  const bytes = filterProgram(options)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const words: Readonly<Record<number, number>> = { 0: call.number, 4: call.architecture, 16: call.first, 24: call.second ?? 0 }
  let loaded = 0
  for (let at = 0; at * 8 < bytes.length; at++) {
    const code = view.getUint16(at * 8, true)
    const value = view.getUint32(at * 8 + 4, true)
    if (code === 0x20) loaded = words[value] ?? 0
    else if (code === 0x54) loaded = (loaded & value) >>> 0
    else if (code === 0x06) return value
    else if (code === 0x15) at += view.getUint8(at * 8 + (loaded === value ? 2 : 3))
    else if (code === 0x35) at += view.getUint8(at * 8 + (loaded >= value ? 2 : 3))
    else throw new Error(`unknown instruction ${code}`)
  }
  throw new Error("the program ends without an answer")
}

const ALLOW = 0x7fff_0000
const REFUSE = 0x0005_0001
const KILL = 0x8000_0000
const X64 = 0xc000_003e
const ARM64 = 0xc000_00b7
const I386 = 0x4000_0003

const on = (architecture: "x64" | "arm64", unixSockets = false) => (number: number, first = 0, second = 0) =>
  judge({ architecture, unixSockets }, { architecture: architecture === "x64" ? X64 : ARM64, number, first, second })

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

  it("ends a process that calls in another architecture's way, and refuses the 32-bit flavour", () => {
    const options: FilterOptions = { architecture: "x64", unixSockets: false }
    expect(judge(options, { architecture: I386, number: 102, first: 1 })).toBe(KILL)
    expect(judge(options, { architecture: ARM64, number: 0, first: 0 })).toBe(KILL)
    expect(on("x64")(0x4000_0000 | 41, 1)).toBe(REFUSE)
  })

  it("always answers, whatever is called", () => {
    fc.assert(
      fc.property(fc.nat({ max: 0xffff_ffff }), fc.nat({ max: 0xffff_ffff }), fc.boolean(), (number, first, unix) => {
        expect([ALLOW, REFUSE]).toContain(on("x64", unix)(number, first))
      })
    )
  })
})
