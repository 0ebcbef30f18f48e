/** Taking the text of a region into registers. */
import { sliceLines } from "../../buffer.ts"
import { blockPart } from "../text/block.ts"
import type { Region } from "./region.ts"
import { isClipboard, keepDeletion, keepYank, type Registers, type RegisterText } from "../state/register.ts"
import type { VimState } from "../state/state.ts"
import { emit, type Turn, update } from "./running-command.ts"

/** Characters from the start of one line to that of another are kept as lines, though they are taken as characters. */
const isWholeLines = ({ start, end, inclusive, visual }: Region): boolean =>
  !visual && !inclusive && start.column === 0 && end.column === 0 && end.line > start.line

export const textOfRegion = (vim: VimState, region: Region): RegisterText => {
  const { start, end, columns } = region
  const lines = sliceLines(vim.buffer, start.line, end.line + 1)
  if (region.shape === "line") return { type: "line", lines }
  if (region.shape === "block") {
    const width = columns.right - columns.left + 1
    const parts = lines.map((text) => {
      const part = blockPart(text, columns, vim.options.tabstop)
      return part.short ? " ".repeat(width) : part.inside
    })
    return { type: "block", lines: parts, width: columns.toEnd && width > 1 ? width - 1 : width }
  }
  if (isWholeLines(region)) return { type: "line", lines: lines.slice(0, -1) }
  const last = lines.length - 1
  return {
    type: "char",
    lines: lines.map((text, index) => text.slice(index === 0 ? start.column : 0, index === last ? end.column : text.length))
  }
}

export const clipboardText = ({ type, lines }: RegisterText): string => lines.join("\n") + (type === "line" ? "\n" : "")

/** The clipboard gets a copy when it was named, or when every unnamed write goes there. */
const share = (turn: Turn, name: string | undefined, text: RegisterText): Turn => {
  const wanted = isClipboard(name) || (name === undefined && turn.vim.options.clipboard === "unnamed")
  return wanted ? emit(turn, { _tag: "SetClipboard", text: clipboardText(text) }) : turn
}

const withRegisters = (turn: Turn, registers: Registers): Turn => update(turn, { registers })

export const yankRegion = (turn: Turn, region: Region, name: string | undefined): Turn => {
  const text = textOfRegion(turn.vim, region)
  return share(withRegisters(turn, keepYank(turn.vim.registers, name, text)), name, text)
}

export const cutRegion = (turn: Turn, region: Region, name: string | undefined): Turn => {
  const text = textOfRegion(turn.vim, region)
  const deletion = { name, text, numbered: region.numbered }
  return share(withRegisters(turn, keepDeletion(turn.vim.registers, deletion)), name, text)
}
