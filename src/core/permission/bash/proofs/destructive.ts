import type { Danger } from "../shell-analysis.ts"
import { readArguments, rulesOf, textOf, type GivenFlag } from "../arguments/arguments.ts"
import { spreadLetters } from "../touches/operands-archive.ts"
import { gitVerbAt } from "../touches/operands-git.ts"
import { isHere } from "./git-proof.ts"
import type { SimpleCommand, Word } from "../program.ts"
import { sedScripts, sedRuns } from "../arguments/sed-script.ts"
import {
  DESTROYERS,
  GIT_LOSSES,
  GIT_ORDINARY_VERBS,
  GIT_RUNNING_FLAGS,
  GIT_RUNNING_GLOBALS,
  GIT_RUNNING_LETTERS,
  GIT_RUNNING_WORDS,
  INLINE_CODE,
  type GitLoss
} from "../tables/destructive.ts"
import { EXECUTING_KEYS, GIT_PLAIN_VERBS } from "../tables/git.ts"
import { baseName, programNamed, withoutVersion } from "../tables/programs.ts"
import { readsCodeFromInput, runsFiles, runsInput, type Unwrapped } from "../arguments/wrappers.ts"

/** What a wildcard rule covers only when it spells the words that make it dangerous. */

const executes = (spelled: string, sentence: string): Danger => ({
  kind: "executes",
  spelled: [spelled],
  sentence,
  loses: undefined
})

const destroys = (spelled: string, sentence: string, loses: Danger["loses"] = "files"): Danger => ({
  kind: "destructive",
  spelled: [spelled],
  sentence,
  loses
})

const hasLetter = (text: string, letters: string): boolean =>
  /^-[A-Za-z]+$/.test(text) && letters.split("").some((letter) => text.includes(letter))

const isLosing = (loss: GitLoss, rest: ReadonlyArray<string>): boolean => {
  const { words, letters, begins } = loss
  if (words === undefined && letters === undefined && begins === undefined) return true
  return rest.some(
    (text) =>
      words?.some((word) => isFlag(text, word)) === true ||
      (letters !== undefined && hasLetter(text, letters)) ||
      begins?.some((start) => text.startsWith(start) || isFlag(text, start)) === true
  )
}

/** The word itself, with a value, or a long flag shortened. */
const isFlag = (text: string, word: string): boolean => {
  const name = flagName(text)
  return name === word || (/^--../.test(name) && word.startsWith(name))
}

const flagName = (text: string): string => text.split("=")[0] ?? text

/** Looks like a path and not like a branch: it begins with a dot or a colon, has a wildcard, or ends like a file. */
const LIKE_A_PATH = /^(?:\.|:)|[*?[]|\/$|\.[A-Za-z][A-Za-z0-9]{0,4}$/

/** A revision and a path, or a path alone: the file comes back as it was there. */
const takesFileBack = (name: string, rest: ReadonlyArray<string>): boolean => {
  if (name !== "checkout" || rest.some((text) => /^(?:-[a-z]*[bBt]|--orphan|--track|--detach)$/.test(text))) return false
  const operands = rest.filter((text) => !text.startsWith("-"))
  return operands.length > 1 || operands.some((text) => LIKE_A_PATH.test(text))
}

const restoreIsHarmless = (rest: ReadonlyArray<string>): boolean =>
  rest.some((text) => text === "--staged" || text === "-S") &&
  !rest.some((text) => text === "--worktree" || /^-[A-Za-z]*W/.test(text))

const gitDanger = (words: ReadonlyArray<Word>, at: number, cwd: string | undefined): Danger | undefined => {
  const verbAt = gitVerbAt(words, at)
  const verb = words[verbAt]
  const rest = words.slice(verbAt + 1).map(textOf)
  const name = verb === undefined ? "" : textOf(verb)
  const loss = Object.hasOwn(GIT_LOSSES, name) ? GIT_LOSSES[name] : undefined
  const second = loss?.second?.find((word) => rest.includes(word))
  const isOther = loss?.second !== undefined && second === undefined
  const isHarmless = isOther || (name === "restore" && restoreIsHarmless(rest))
  if (loss !== undefined && !isHarmless && (isLosing(loss, rest) || takesFileBack(name, rest))) {
    const spelled = second === undefined ? name : `${name} ${second}`
    return { kind: "destructive", spelled: [spelled], sentence: loss.sentence, loses: loss.loses }
  }
  return gitRuns(words, at, verbAt, cwd)
}

/** Another repository has its own configuration, which git obeys. */
const goesElsewhere = (words: ReadonlyArray<Word>, at: number, verbAt: number, cwd: string | undefined): boolean =>
  words.some((word, index) => index > at && index < verbAt && word.value === "-C" && !isHere(words[index + 1], cwd))

/** Words of a sub-command that make git run something it was given. */
const runningWord = (name: string, rest: ReadonlyArray<string>): string | undefined => {
  const letters = GIT_RUNNING_LETTERS[name]
  const flag = GIT_RUNNING_FLAGS[name]
  return (
    rest.find((text) => GIT_RUNNING_WORDS.some((word) => isFlag(text, word))) ??
    (flag === undefined ? undefined : rest.find((text) => isFlag(text, flag))) ??
    (letters === undefined ? undefined : rest.find((text) => new RegExp(`^-[A-Za-z]*[${letters}]`).test(text))) ??
    rest.find((text) => /^ext::|^transport::/.test(text)) ??
    (name === "bisect" && rest[0] === "run" ? "run" : undefined)
  )
}

/** Sets something that git runs later. */
const setsRunning = (name: string, rest: ReadonlyArray<string>): boolean =>
  name === "config" &&
  rest.some((text) => EXECUTING_KEYS.test(text.toLowerCase())) &&
  rest.length > 1 &&
  !rest.some((text) => /^(?:--get(?:-all|-regexp)?|get|--unset|unset)$/.test(text))

const gitRuns = (words: ReadonlyArray<Word>, at: number, verbAt: number, cwd: string | undefined): Danger | undefined => {
  const verb = words[verbAt]
  const name = verb === undefined ? "" : textOf(verb)
  const rest = words.slice(verbAt + 1).map(textOf)
  const globals = words.slice(at + 1, verbAt).map(textOf)
  const running =
    globals.find((text) => GIT_RUNNING_GLOBALS.has(flagName(text))) ??
    (goesElsewhere(words, at, verbAt, cwd) ? "-C" : undefined) ??
    runningWord(name, rest)
  if (running !== undefined) return executes(flagName(running), `git ${running} can run another program`)
  if (setsRunning(name, rest)) return executes(name, "Sets something that git runs later")
  const isOrdinary = verb === undefined || GIT_PLAIN_VERBS.has(name) || GIT_ORDINARY_VERBS.has(name)
  return isOrdinary ? undefined : executes(name, `git ${name} can run another program`)
}

const FIND_ACTION = /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/
const FD_ACTION = /^(?:-[xX]|--exec|--exec-batch)$/

const findDanger = (words: ReadonlyArray<Word>, at: number, pattern: RegExp): Danger | undefined => {
  const action = words
    .slice(at + 1)
    .map(textOf)
    .find((text) => pattern.test(text))
  if (action === undefined) return undefined
  return action === "-delete"
    ? destroys(action, "Would remove every file that is found")
    : executes(action, `${action} acts on every file that is found`)
}

const RIGHTS: ReadonlySet<string> = new Set(["chmod", "chown", "chgrp"])

/** Options of ssh and similar programs that start something; the others only set something. */
const SSH_RUNS = /command|include|agent|pkcs11|xauth/i

/** A flag behind which code, a program or a list of further options stands. */
const runningFlag = (words: ReadonlyArray<Word>, at: number, name: string): string | undefined => {
  const known = programNamed(name)
  if (known === undefined || known.flags.size === 0) return undefined
  const spread = name === "tar" ? spreadLetters(words, at, known) : words
  const { flags } = readArguments(spread, at + 1, rulesOf(known))
  return flags.find((given) => (name === "curl" ? given.name === "-K" || given.name === "--config" : isRunningFlag(given)))
    ?.name
}

const isRunningFlag = ({ name, flag, value = "" }: GivenFlag): boolean =>
  flag.kind === "x" && (name !== "-o" || SSH_RUNS.test(value))

/** Starts programs, calls what a variable names, or reads files that nobody named. `||` is not a pipe. */
const AWK_REACHES = /\bsystem\s*\(|(?:^|[^|])\|(?!\|)|\bgetline\b|@\s*[A-Za-z_]|\bARG[CV]\b/
const AWK_PRINTS = /\bprintf?\b/

/** Or writes: a statement that prints to somewhere. */
const awkReaches = (script: string): boolean =>
  AWK_REACHES.test(script) ||
  script.split(/[;}\n]/).some((statement) => {
    const at = statement.search(AWK_PRINTS)
    return at >= 0 && statement.includes(">", at)
  })

/** The script that does more than text with its input. */
const runningScript = (words: ReadonlyArray<Word>, at: number, name: string): string | undefined => {
  const known = programNamed(name)
  if (known?.row.role !== "script") return undefined
  const given = readArguments(words, at + 1, known)
  return sedScripts(given).find((script) => (name === "sed" ? sedRuns(script) : awkReaches(script)))
}

const codeDanger = (words: ReadonlyArray<Word>, at: number, name: string): Danger | undefined => {
  const flag = runningFlag(words, at, name)
  if (flag !== undefined) return executes(flag, `${name} ${flag} can run another program`)
  const script = runningScript(words, at, name)
  return script === undefined ? undefined : executes(script, `The script of ${name} can do more than work on text`)
}

const otherDanger = (name: string, rest: ReadonlyArray<string>): Danger | undefined => {
  const destroyed = Object.hasOwn(DESTROYERS, name) ? DESTROYERS[name] : undefined
  if (destroyed !== undefined) return destroys(name, destroyed)
  if (/^mkfs(?:\.|$)/.test(name)) return destroys(name, "Would make a new file system", "disk")
  if (name === "dd" && rest.some((text) => text.startsWith("of="))) {
    return destroys(name, "Would overwrite the file behind of=")
  }
  if (RIGHTS.has(name)) {
    const deep = rest.find((text) => /^-[A-Za-z]*R|^--recursive$/.test(text))
    return deep === undefined ? undefined : destroys(deep, "Would change the rights of everything below")
  }
  if (name === "kill" && rest.includes("-1") && rest.length > 1) return executes("-1", "Would end every process")
  const code = INLINE_CODE.get(name) ?? INLINE_CODE.get(withoutVersion(name))
  const flag = code === undefined ? undefined : rest.find((text) => code.test(text))
  return flag === undefined ? undefined : executes(flag, `${name} ${flag} runs code that is given in words`)
}

const programDanger = (words: ReadonlyArray<Word>, at: number, cwd: string | undefined): Danger | undefined => {
  const program = words[at]
  if (program === undefined) return undefined
  const name = baseName(textOf(program))
  if (name === "git") return gitDanger(words, at, cwd)
  if (name === "find") return findDanger(words, at, FIND_ACTION)
  if (name === "fd" || name === "fdfind") return findDanger(words, at, FD_ACTION)
  return otherDanger(name, words.slice(at + 1).map(textOf)) ?? codeDanger(words, at, name)
}

/** Code that comes in is code that is given, like that behind `-c`. */
const inputDanger = ({ words, redirects, place }: SimpleCommand, at: number): Danger | undefined => {
  const program = words[at]
  if (program === undefined || !runsFiles(words, at)) return undefined
  const isFed = place.inPipeline || redirects.some(({ operator }) => operator.startsWith("<"))
  if (!isFed || !(readsCodeFromInput(words, at) || runsInput(words, at))) return undefined
  return executes(`${textOf(program)} <`, `${textOf(program)} runs code that comes in`)
}

/** The danger of the program and of the wrappers that no rule looks through: all their words must be spelled. */
export const dangerOf = (command: SimpleCommand, { at, layers }: Unwrapped, cwd: string | undefined): Danger | undefined => {
  const { words } = command
  const opaque = layers.flatMap(({ strippable, name, given }) => {
    if (strippable || name === "time") return []
    const running = name === "ssh" ? given.flags.filter(isRunningFlag).map((flag) => flag.name) : []
    return [name, ...running]
  })
  const own = programDanger(words, at, cwd) ?? inputDanger(command, at)
  if (opaque.length === 0) return own
  return {
    kind: own?.kind ?? "executes",
    spelled: [[...opaque, ...(own?.spelled ?? [])].join(" ")],
    sentence: own?.sentence ?? `${opaque[0] ?? ""} runs another program`,
    loses: own?.loses
  }
}
