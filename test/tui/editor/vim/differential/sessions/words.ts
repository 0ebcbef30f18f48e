/** What every part of a session is made of, and what it must remember so that vim and the engine know the same. */
import type { Random } from "../random.ts"
import type { Piece } from "../script.ts"

export interface Session {
  readonly random: Random
  readonly lines: ReadonlyArray<string>
  /** Something has been selected, so that `gv` can select it again, and worked on, so that `2v` can. */
  hasSelected: boolean
  hasOperated: boolean
  /** Something has been replaced, which `&` can do again. */
  hasReplaced: boolean
  /** An ex line has been typed, which `@:` and the register `:` can give back. Vim itself knows one from before. */
  hasLine: boolean
  /** Something has been typed, which the register `.` can give back. */
  hasTyped: boolean
}

export const words = (text: string): ReadonlyArray<string> => text.split(" ")

export const count = ({ random }: Session, chance = 0.25): string => {
  if (!random.chance(chance)) return ""
  return String(random.chance(0.08) ? random.pick([10, 12, 25, 99]) : 1 + random.below(4))
}

const REGISTERS = words('a a b A B c C 0 1 2 3 8 9 - _ "')
const READ_REGISTERS = words('a a b A c 0 1 2 3 4 9 - " . : / _')

export const register = ({ random }: Session, chance = 0.25): string =>
  random.chance(chance) ? `"${random.pick(REGISTERS)}` : ""

export const readRegister = ({ random, hasLine, hasTyped }: Session, chance: number): string => {
  const names = READ_REGISTERS.filter((name) => (name !== ":" || hasLine) && (name !== "." || hasTyped))
  return random.chance(chance) ? `"${random.pick(names)}` : ""
}

export const piece = (keys: string, keep: boolean, vim?: string): Piece => ({
  keys,
  ...(vim !== undefined && { vim }),
  ...(keep && { keep: true as const })
})
