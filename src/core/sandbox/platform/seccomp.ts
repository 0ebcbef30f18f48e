/**
 * The system call filter of a confined command, as the program the kernel runs before each call. Written by hand, so
 * that no compiler is needed: a few comparisons over the architecture, the number and the arguments.
 */
import { CALLS, type Conditional, type FilteredArchitecture } from "./seccomp-calls.ts"

interface Instruction {
  readonly code: number
  /** How many instructions to skip when a comparison holds, and when it does not. */
  readonly whenTrue?: number
  readonly whenFalse?: number
  readonly value: number
}

const LOAD_WORD = 0x20
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_AT_LEAST = 0x35
const JUMP_IF_ANY_BIT = 0x45
const AND = 0x54
const RETURN = 0x06

/** Offsets in what the kernel shows the filter (struct seccomp_data, little endian). */
const NUMBER_AT = 0
const ARCHITECTURE_AT = 4
const argumentAt = (index: number): number => 16 + 8 * index

const ALLOW = 0x7fff_0000
const KILL_PROCESS = 0x8000_0000
const failing = (errno: number): number => 0x0005_0000 | errno
const REFUSE = failing(1)
const NO_SUCH_CALL = failing(38)

const ARCHITECTURES: Readonly<Record<FilteredArchitecture, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 }

/** Calls of the 32-bit flavour of x64 have this bit set; nothing needs them. */
const X32_FLAVOUR = 0x4000_0000

const AF_UNIX = 1
/** IPv4, IPv6 and netlink live in the sandbox's own network. Others (VSOCK, Bluetooth) would lead out of it. */
const FAMILIES = [2, 10, 16]

/**
 * A pair of sockets is made without a path, but one that carries datagrams can be given another partner later, by its
 * path. Those that are connected for good stay: streams and sequenced packets. Flags stand above the type.
 */
const TYPE_BITS = 0xf
const CONNECTED_TYPES = [1, 5]

export interface FilterOptions {
  readonly architecture: FilteredArchitecture
  /** Sockets with a path reach the host through the file system, so they are closed unless asked for. */
  readonly unixSockets: boolean
}

const load = (offset: number): Instruction => ({ code: LOAD_WORD, value: offset })
const answer = (value: number): Instruction => ({ code: RETURN, value })
/** Goes on behind the next instruction unless the loaded word is `value`. */
const onlyIf = (value: number): Instruction => ({ code: JUMP_IF_EQUAL, whenFalse: 1, value })

/** What becomes of a pair; goes on behind itself for every other call. */
const pairInstructions = (socketpair: number): ReadonlyArray<Instruction> => {
  const decision = [
    load(argumentAt(1)),
    { code: AND, value: TYPE_BITS },
    ...CONNECTED_TYPES.flatMap((type) => [onlyIf(type), answer(ALLOW)]),
    answer(REFUSE)
  ]
  return [{ code: JUMP_IF_EQUAL, whenFalse: decision.length, value: socketpair }, ...decision]
}

/** Refuses a call whose arguments have the wrong bits, allows it otherwise; goes on behind itself for every other. */
const conditionalInstructions = ({ number, when }: Conditional): ReadonlyArray<Instruction> => {
  const last = 2 * when.length
  const decision = [
    ...when.flatMap(({ argument, anyOf }, index): ReadonlyArray<Instruction> => [
      load(argumentAt(argument)),
      { code: JUMP_IF_ANY_BIT, whenFalse: last - (2 * index + 1), value: anyOf }
    ]),
    answer(REFUSE),
    answer(ALLOW)
  ]
  return [{ code: JUMP_IF_EQUAL, whenFalse: decision.length, value: number }, ...decision]
}

const filterInstructions = ({ architecture, unixSockets }: FilterOptions): ReadonlyArray<Instruction> => {
  const { socket, socketpair, refused, absent, conditional } = CALLS[architecture]
  const families = unixSockets ? [AF_UNIX, ...FAMILIES] : FAMILIES
  return [
    load(ARCHITECTURE_AT),
    { code: JUMP_IF_EQUAL, whenTrue: 1, value: ARCHITECTURES[architecture] },
    answer(KILL_PROCESS),
    load(NUMBER_AT),
    { code: JUMP_IF_AT_LEAST, whenFalse: 1, value: X32_FLAVOUR },
    answer(REFUSE),
    ...refused.flatMap((number) => [onlyIf(number), answer(REFUSE)]),
    ...absent.flatMap((number) => [onlyIf(number), answer(NO_SUCH_CALL)]),
    ...conditional.flatMap(conditionalInstructions),
    ...(unixSockets ? [] : pairInstructions(socketpair)),
    { code: JUMP_IF_EQUAL, whenTrue: 1, value: socket },
    answer(ALLOW),
    load(argumentAt(0)),
    ...families.flatMap((family) => [onlyIf(family), answer(ALLOW)]),
    answer(REFUSE)
  ]
}

const BYTES_PER_INSTRUCTION = 8

/** The filter as an array of struct sock_filter. */
export const filterProgram = (options: FilterOptions): Uint8Array => {
  const instructions = filterInstructions(options)
  const view = new DataView(new ArrayBuffer(instructions.length * BYTES_PER_INSTRUCTION))
  instructions.forEach(({ code, whenTrue = 0, whenFalse = 0, value }, index) => {
    const at = index * BYTES_PER_INSTRUCTION
    view.setUint16(at, code, true)
    view.setUint8(at + 2, whenTrue)
    view.setUint8(at + 3, whenFalse)
    view.setUint32(at + 4, value, true)
  })
  return new Uint8Array(view.buffer)
}
