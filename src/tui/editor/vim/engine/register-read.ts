/** Reading a register whose text may come from outside the engine. */
import { isClipboard, readRegister, type RegisterText } from "../state/register.ts"
import type { Turn } from "./running-command.ts"

const clipboardRegister = (turn: Turn, name: string): RegisterText | undefined => {
  const { clipboard } = turn.context
  if (clipboard === "") return readRegister(turn.vim.registers, name)
  const whole = clipboard.endsWith("\n")
  return { type: whole ? "line" : "char", lines: (whole ? clipboard.slice(0, -1) : clipboard).split("\n") }
}

export const readNamed = (turn: Turn, name: string | undefined): RegisterText | undefined => {
  if (name === "_") return { type: "char", lines: [""] }
  if (name === "%") return { type: "char", lines: [turn.context.name] }
  if (name !== undefined && isClipboard(name)) return clipboardRegister(turn, name)
  return readRegister(turn.vim.registers, name)
}
