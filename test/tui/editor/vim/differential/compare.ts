/** One script in both editors, and in what they differ. */
import { PROMPT_OPTIONS, VIM_OPTIONS } from "../../../../../src/tui/editor/vim/state/context.ts"
import { runParts, type ScriptResult } from "../../../../support/vim-script.ts"
import { askVim, type VimRegister, type VimState } from "../../../../support/vim-oracle.ts"
import { caseOf, keysOf, ourParts, partsOf, type Script } from "./script.ts"

/** As much of a state as both editors must agree on. */
export type Observed = Pick<VimState, "lines" | "caret" | "mode" | "registers">

const TYPES = { v: "charwise", V: "linewise", b: "blockwise" } as const
const NAMES = /^["0-9a-z.:/-]$/
/** What vim shows for bytes of its own, as which it keeps keys that are not characters. */
const FOREIGN = "\ufffd"

const observed = ({ lines, cursor, mode, registers }: ScriptResult): Observed => {
  const kept = Object.entries(registers).filter(([name]) => NAMES.test(name))
  return {
    lines,
    caret: cursor,
    mode,
    registers: Object.fromEntries(kept.map(([name, { text, type }]) => [name, { type: TYPES[type], lines: text }]))
  }
}

const runOurs = (script: Script): ReadonlyArray<Observed> =>
  runParts(script.lines.join("\n"), ourParts(script), {
    // The window and the hand-over to the application are the prompt's business, not the engine's.
    options: {
      ...(script.profile === "prompt" ? PROMPT_OPTIONS : VIM_OPTIONS),
      promptSlash: "buffer",
      recall: false,
      clipboard: "none"
    },
    context: { width: 1000, view: { top: 0, bottom: script.lines.length + 50 } }
  }).map(observed)

/** The states after each part; where the engine threw, one that is like no other. */
const observeOurs = (script: Script): ReadonlyArray<Observed> => {
  try {
    return runOurs(script)
  } catch (error) {
    return [{ lines: [`threw ${String(error)}`], caret: { line: 0, column: 0 }, mode: "", registers: {} }]
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
 * them, and a macro in which the prompt spells a command in its own way is another text by nature.
 */
const isComparable = (name: string, vims: Observed, script: Script): boolean => {
  const text = vims.registers[name]?.lines.join("\n") ?? ""
  if (text.includes(FOREIGN)) return false
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

/** The first part after which the editors differ. What vim itself broke to pieces is not compared, nor what follows. */
const disagreement = (script: Script, vims: ReadonlyArray<VimState>): Disagreement | undefined => {
  const ours = observeOurs(script)
  for (const [index, theirs] of vims.entries()) {
    if (theirs.lines.some((line) => line.includes(FOREIGN))) return undefined
    const own = ours[index] ?? ours.at(-1)
    const parts = own === undefined ? [] : differences(theirs, own, script)
    if (own === undefined || parts.length === 0) continue
    const until = script.stepwise === true ? { ...script, commands: partsOf(script).slice(0, index + 1) } : script
    return { script: until, vims: theirs, ours: own, parts }
  }
  return undefined
}

export interface Compared {
  /** By the index of the script. */
  readonly disagreements: ReadonlyMap<number, Disagreement>
  /** Indices of scripts that vim could not be observed in. */
  readonly unobserved: ReadonlyArray<number>
}

export const compareAll = async (scripts: ReadonlyArray<Script>): Promise<Compared> => {
  const answers = await askVim(scripts.map(caseOf))
  const disagreements = new Map<number, Disagreement>()
  for (const [index, script] of scripts.entries()) {
    const found = disagreement(script, answers[index] ?? [])
    if (found !== undefined) disagreements.set(index, found)
  }
  return { disagreements, unobserved: answers.flatMap((states, index) => (states.length === 0 ? [index] : [])) }
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
