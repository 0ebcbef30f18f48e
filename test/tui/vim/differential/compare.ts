/** One script in both editors, and in what they differ. */
import { PROMPT_OPTIONS, VIM_OPTIONS } from "../../../../src/tui/vim/context.ts"
import { runScript } from "../../../support/vim-script.ts"
import { askVim, type VimRegister, type VimState } from "../../../support/vim-oracle.ts"
import { caseOf, keysOf, type Script, strokesOf } from "./script.ts"

/** As much of a state as both editors must agree on. */
export type Observed = Pick<VimState, "lines" | "caret" | "mode" | "registers">

const TYPES = { v: "charwise", V: "linewise", b: "blockwise" } as const
const NAMES = /^["0-9a-z.:/-]$/
/** What vim shows for bytes of its own, as which it keeps keys that are no characters. */
const FOREIGN = "\ufffd"

const runOurs = (script: Script): Observed => {
  const { lines, cursor, mode, registers } = runScript(script.lines.join("\n"), strokesOf(script), {
    // The window and the hand-over to the application are the prompt's business, not the engine's.
    options: {
      ...(script.profile === "prompt" ? PROMPT_OPTIONS : VIM_OPTIONS),
      promptSlash: "buffer",
      recall: false,
      clipboard: "none"
    },
    context: { width: 1000, view: { top: 0, bottom: script.lines.length + 50 } }
  })
  const kept = Object.entries(registers).filter(([name]) => NAMES.test(name))
  return {
    lines,
    caret: cursor,
    mode,
    registers: Object.fromEntries(kept.map(([name, { text, type }]) => [name, { type: TYPES[type], lines: text }]))
  }
}

export const observeOurs = (script: Script): Observed => {
  try {
    return runOurs(script)
  } catch (error) {
    return { lines: [`threw ${String(error)}`], caret: { line: 0, column: 0 }, mode: "", registers: {} }
  }
}

const sameLines = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean => a.join("\n") === b.join("\n")

const isEmptyText = (register: VimRegister | undefined): boolean => (register?.lines ?? []).join("") === ""

const sameRegister = (vims: VimRegister | undefined, ours: VimRegister | undefined): boolean => {
  if (vims === undefined || ours === undefined) return isEmptyText(vims) && isEmptyText(ours)
  return vims.type === ours.type && sameLines(vims.lines, ours.lines)
}

/**
 * Whether a register can be compared: the last insert is not known before insert mode ends and holds keys as vim writes
 * them, a macro in which the prompt spells a command in its own way is another text by nature, and for the numbered
 * ones see the deviation "failed-mark-jump".
 */
const isComparable = (name: string, vims: Observed, script: Script): boolean => {
  const text = vims.registers[name]?.lines.join("\n") ?? ""
  if (text.includes(FOREIGN)) return false
  if (/[1-9]/.test(name) && keysOf(script).includes("`")) return false
  if (name === ".") return !/^[iR]/.test(vims.mode) && !/[^ -\uffff]/.test(text)
  return !/[mn]/.test(name) || script.commands.flat().every(({ vim }) => vim === undefined)
}

/** Names of the parts in which two states differ; none when they agree. */
export const differences = (vims: Observed, ours: Observed, script: Script): ReadonlyArray<string> => {
  const names = new Set([...Object.keys(vims.registers), ...Object.keys(ours.registers)])
  const registers = [...names].filter(
    (name) => isComparable(name, vims, script) && !sameRegister(vims.registers[name], ours.registers[name])
  )
  return [
    ...(sameLines(vims.lines, ours.lines) ? [] : ["text"]),
    ...(vims.caret.line === ours.caret.line && vims.caret.column === ours.caret.column ? [] : ["caret"]),
    ...(vims.mode === ours.mode ? [] : ["mode"]),
    ...registers.map((name) => `register ${name}`)
  ]
}

export interface Disagreement {
  readonly script: Script
  readonly vims: Observed
  readonly ours: Observed
  readonly parts: ReadonlyArray<string>
}

/** The scripts on which the editors differ. A script that vim could not be observed in is left to `unobserved`. */
export const compareAll = async (
  scripts: ReadonlyArray<Script>
): Promise<{ readonly disagreements: ReadonlyArray<Disagreement>; readonly unobserved: ReadonlyArray<Script> }> => {
  const answers = await askVim(scripts.map(caseOf))
  const disagreements = scripts.flatMap((script, index) => {
    const vims = answers[index]
    if (vims === undefined || vims.lines.some((line) => line.includes(FOREIGN))) return []
    const ours = observeOurs(script)
    const parts = differences(vims, ours, script)
    return parts.length === 0 ? [] : [{ script, vims, ours, parts }]
  })
  return { disagreements, unobserved: scripts.filter((_, index) => answers[index] === undefined) }
}

const show = ({ lines, caret, mode, registers }: Observed, parts: ReadonlyArray<string>): string => {
  const named = parts.filter((part) => part.startsWith("register ")).map((part) => part.slice("register ".length))
  const kept = named.map((name) => `"${name}=${JSON.stringify(registers[name])}`)
  const place = `caret ${caret.line}:${caret.column}  mode ${JSON.stringify(mode)}`
  return [JSON.stringify(lines), place, ...kept].join("  ")
}

export const explain = ({ script, vims, ours, parts }: Disagreement): string =>
  [
    `they differ in ${parts.join(", ")} (options of ${script.profile})`,
    `  text ${JSON.stringify(script.lines)}`,
    `  keys ${keysOf(script)}`,
    `  vim  ${show(vims, parts)}`,
    `  ours ${show(ours, parts)}`
  ].join("\n")
