import type { Danger } from "./analysis.ts"
import { textOf } from "./arguments.ts"
import { gitVerbAt } from "./operands-git.ts"
import type { Word } from "./program.ts"
import {
  DESTROYERS,
  GIT_LOSSES,
  GIT_RUNNING_GLOBALS,
  GIT_RUNNING_WORDS,
  INLINE_CODE,
  type GitLoss
} from "./tables/destructive.ts"
import { baseName } from "./tables/programs.ts"
import type { Unwrapped } from "./wrappers.ts"

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
      words?.includes(text.split("=")[0] ?? text) === true ||
      (letters !== undefined && hasLetter(text, letters)) ||
      begins?.some((start) => text.startsWith(start)) === true
  )
}

const restoreIsHarmless = (rest: ReadonlyArray<string>): boolean =>
  rest.some((text) => text === "--staged" || text === "-S") &&
  !rest.some((text) => text === "--worktree" || /^-[A-Za-z]*W/.test(text))

const gitDanger = (words: ReadonlyArray<Word>, at: number): Danger | undefined => {
  const verbAt = gitVerbAt(words, at)
  const verb = words[verbAt]
  const rest = words.slice(verbAt + 1).map(textOf)
  const name = verb === undefined ? "" : textOf(verb)
  const loss = Object.hasOwn(GIT_LOSSES, name) ? GIT_LOSSES[name] : undefined
  const second = loss?.second?.find((word) => rest.includes(word))
  const isOther = loss?.second !== undefined && second === undefined
  const isHarmless = isOther || (name === "restore" && restoreIsHarmless(rest))
  if (loss !== undefined && !isHarmless && isLosing(loss, rest)) {
    const spelled = second === undefined ? name : `${name} ${second}`
    return { kind: "destructive", spelled: [spelled], sentence: loss.sentence, loses: loss.loses }
  }
  return gitRuns(words.slice(at + 1, verbAt).map(textOf), name, rest)
}

const flagName = (text: string): string => text.split("=")[0] ?? text

const gitRuns = (globals: ReadonlyArray<string>, name: string, rest: ReadonlyArray<string>): Danger | undefined => {
  const running =
    globals.find((text) => GIT_RUNNING_GLOBALS.has(flagName(text))) ??
    rest.find((text) => GIT_RUNNING_WORDS.has(flagName(text))) ??
    (name === "rebase" || name === "difftool" ? rest.find((text) => text === "-x") : undefined) ??
    (name === "bisect" && rest[0] === "run" ? "run" : undefined)
  return running === undefined ? undefined : executes(flagName(running), `git ${running} can run another program`)
}

const FIND_ACTION = /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/
const FD_ACTION = /^(?:-[xX]|--exec|--exec-batch)$/

const findDanger = (words: ReadonlyArray<Word>, at: number, pattern: RegExp): Danger | undefined => {
  const action = words.slice(at + 1).map(textOf).find((text) => pattern.test(text))
  if (action === undefined) return undefined
  return action === "-delete"
    ? destroys(action, "Would remove every file that is found")
    : executes(action, `${action} acts on every file that is found`)
}

const RIGHTS: ReadonlySet<string> = new Set(["chmod", "chown", "chgrp"])

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
  const code = INLINE_CODE.get(name)
  const flag = code === undefined ? undefined : rest.find((text) => code.test(text))
  return flag === undefined ? undefined : executes(flag, `${name} ${flag} runs code that is given in words`)
}

const programDanger = (words: ReadonlyArray<Word>, at: number): Danger | undefined => {
  const program = words[at]
  if (program === undefined) return undefined
  const name = baseName(textOf(program))
  if (name === "git") return gitDanger(words, at)
  if (name === "find") return findDanger(words, at, FIND_ACTION)
  if (name === "fd" || name === "fdfind") return findDanger(words, at, FD_ACTION)
  return otherDanger(name, words.slice(at + 1).map(textOf))
}

/** The danger of the program and of the wrappers that no rule looks through: all their words must be spelled. */
export const dangerOf = (words: ReadonlyArray<Word>, { at, layers }: Unwrapped): Danger | undefined => {
  const opaque = layers.flatMap(({ strippable, name }) => (strippable || name === "time" ? [] : [name]))
  const own = programDanger(words, at)
  if (opaque.length === 0) return own
  return {
    kind: own?.kind ?? "executes",
    spelled: [[...opaque, ...(own?.spelled ?? [])].join(" ")],
    sentence: own?.sentence ?? `${opaque[0] ?? ""} runs another program`,
    loses: own?.loses
  }
}
