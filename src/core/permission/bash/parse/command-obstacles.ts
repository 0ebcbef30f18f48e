import { EVALUATING_FLAGS, STATEFUL_BUILTINS, TRANSPARENT_BUILTINS, ZSH_BUILTINS } from "../tables/builtins.ts"
import type { DynamicPart, Obstacle, Redirect, SimpleCommand, Word } from "../program.ts"

/** Why one simple command is not fully understood, as far as it can be seen from the command alone. */
type Note = (kind: Obstacle["kind"], construct: string, at: number) => void

const CONSTRUCTS: Readonly<Record<DynamicPart["kind"], string>> = {
  variable: "variable",
  expansion: "${…}",
  substitution: "$(…)",
  process: "process substitution",
  arithmetic: "$((…))",
  braces: "brace expansion",
  ansi: "$'…'",
  tilde: "~ that is not the home directory"
}

const nameOf = ({ kind, source, name }: DynamicPart): string =>
  kind === "variable" ? `$${name ?? ""}` : source.startsWith("`") ? "backticks" : CONSTRUCTS[kind]

const noteDynamic = (note: Note, parts: ReadonlyArray<DynamicPart>, at: number): void => {
  for (const part of parts) note("construct", nameOf(part), at)
}

/** Variables and substitutions in an argument are all that a proof may tolerate. */
const noteDynamicArgument = (note: Note, { dynamic, start }: Word): void => {
  for (const part of dynamic) {
    const isTolerable = part.kind === "variable" || (part.kind === "substitution" && part.source.startsWith("$("))
    note(isTolerable ? "dynamic" : "construct", nameOf(part), start)
  }
}

/** `-x…` or `--x…`; a dash with a blank or more dashes behind it is not a flag anywhere. */
const FLAG = /^--?[^\s-]/

/** A letter with a quoted value behind it that could not be letters of further flags: `-d','`, `-F"|"`. */
export const MARKED_VALUE = /^-[A-Za-z](?:'[^'A-Za-z0-9-]*'|"[^"A-Za-z0-9$`\\-]*")$/

/** Up to the `=` a flag must be written plainly; its value may be quoted. */
const hidesFlag = ({ literal, source, quoting }: Word): boolean => {
  if (quoting === "bare" || !FLAG.test(literal)) return false
  if (MARKED_VALUE.test(source)) return false
  const value = source.indexOf("=")
  return quoting === "strange" || value < 0 || /["'\\`$]/.test(source.slice(0, value))
}

const noteProgram = (note: Note, { value, literal, quoting, glob, start, dynamic }: Word): void => {
  if (value === undefined) {
    note("construct", "program that is only known at run time", start)
    noteDynamic(note, dynamic, start)
  }
  if (quoting !== "bare") note("obfuscation", "quoted program name", start)
  if (glob) note("construct", "pattern as program name", start)
  if (literal.startsWith("-")) note("construct", "program name with a dash", start)
  if (literal === "") note("construct", "empty program name", start)
}

/** Where the command behind `command`, `time` and the like may begin: each word up to the first that is not one of them. */
const shellWords = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  let index = 0
  while (TRANSPARENT_BUILTINS.has(words[index]?.literal ?? "") || (index > 0 && words[index]?.literal.startsWith("-")))
    index++
  return words.slice(0, index + 1)
}

const noteBuiltins = (note: Note, words: ReadonlyArray<Word>): void => {
  const heads = shellWords(words)
  for (const { literal, start } of heads) {
    if (ZSH_BUILTINS.has(literal)) note("construct", literal, start)
    else if (STATEFUL_BUILTINS.has(literal) && !(literal === "builtin" && words.length === 1))
      note("construct", literal, start)
  }
  const program = heads.at(-1)?.literal ?? ""
  const flag = EVALUATING_FLAGS[program]
  const evaluating = flag === undefined ? undefined : words.slice(heads.length).find(({ literal }) => flag.test(literal))
  if (evaluating !== undefined) note("construct", `${program} ${evaluating.literal}`, evaluating.start)
}

/** `/proc/<id>/environ` and the like, also where a part of the path is only known at run time. */
const namesProcessSecrets = (literal: string): boolean => {
  const at = literal.indexOf("/proc")
  return at >= 0 && /\/(?:environ|mem|root)(?:\/|$)|[*?[\uFFFC]/.test(literal.slice(at))
}

const noteWord = (note: Note, word: Word): void => {
  const { literal, source, start } = word
  if (namesProcessSecrets(literal)) note("construct", "secrets of a process under /proc", start)
  if (/^=[A-Za-z_./]/.test(source)) note("construct", "=command", start)
}

const noteArguments = (note: Note, words: ReadonlyArray<Word>): void => {
  let areFlagsOver = false
  for (const word of words) {
    noteDynamicArgument(note, word)
    if (!areFlagsOver && hidesFlag(word)) note("obfuscation", "quoted flag", word.start)
    areFlagsOver ||= word.source === "--"
  }
}

/**
 * Bash expands what stands behind `>&` a second time when it is not a descriptor, also what was quoted. A dash there is a
 * word of its own: `<& -a` closes the input, and `a` belongs to the command.
 */
const isExpandedTwice = ({ operator, target }: Redirect): boolean =>
  (operator === ">&" || operator === "<&") && !/^(?:-|[\w./+:@%,][\w./+:@%,-]*)$/.test(target?.value ?? "")

export const noteCommand = (note: Note, { start, words, assignments, redirects }: SimpleCommand): void => {
  const [program, ...operands] = words
  if (program !== undefined) noteProgram(note, program)
  else if (assignments.length > 0) note("construct", "assignment without a command", start)
  noteArguments(note, operands)
  noteBuiltins(note, words)
  for (const word of words) noteWord(note, word)
  for (const { value, appends, start: at } of assignments) {
    if (value === undefined) note("construct", "array", at)
    else noteDynamic(note, value.dynamic, at)
    if (appends) note("construct", "+=", at)
    if (value !== undefined) noteWord(note, value)
  }
  for (const redirect of redirects) {
    const { target, heredoc, start: at } = redirect
    if (isExpandedTwice(redirect)) note("disagreement", ">& with a target that is expanded twice", at)
    if (target !== undefined) {
      noteDynamic(note, target.dynamic, at)
      noteWord(note, target)
    }
    noteDynamic(note, heredoc?.dynamic ?? [], at)
  }
}
