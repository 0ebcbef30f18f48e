import type { Part, Reach } from "./command-reach.ts"
import { isInside, resolvePath, type Location } from "./path-scope.ts"
import { baseName, INTERPRETERS, SHELL_CHANGING, SHELLS } from "./programs.ts"

/** Commands whose damage cannot be undone: those that nothing lifts, and those that a loose pattern does not cover. */
export interface DangerPlaces {
  readonly cwd: string
  readonly home: Location
  readonly workingDirs: ReadonlyArray<Location>
}

const REMOVERS = new Set(["rm", "rmdir", "unlink", "shred"])
const RIGHTS_CHANGERS = new Set(["chmod", "chown", "chgrp"])

const isCriticalDirectory = (path: string, { cwd, home, workingDirs }: DangerPlaces): boolean => {
  const kept = [cwd, home.path, home.realPath, ...workingDirs.flatMap((dir) => [dir.path, dir.realPath])]
  return path.split("/").length <= 2 || kept.some((directory) => isInside(path, directory))
}

/** Why removing this operand would be a disaster; undefined when it would not. */
const criticalRemoval = (operand: string, places: DangerPlaces): string | undefined => {
  const text = operand.replace(/^~(?=\/|$)/, places.home.path)
  if (/^\$[^/]*\/+\*?$/.test(text)) return "an unset variable would make it a whole directory"
  const directory = /^(?:\.\/)?\*$/.test(text) ? "." : text.replace(/\/+\*$/, "/")
  return isCriticalDirectory(resolvePath(places.cwd, directory), places) ? "too much would be lost" : undefined
}

const removalIn = (part: Part, at: number, places: DangerPlaces): string | undefined => {
  const operands = part.words.slice(at + 1).filter((word) => !word.startsWith("-"))
  const hit = operands.find((operand) => criticalRemoval(operand, places) !== undefined)
  return hit === undefined ? undefined : `Would remove ${hit} (${criticalRemoval(hit, places) ?? ""})`
}

const findRemoval = (part: Part, at: number, places: DangerPlaces): string | undefined => {
  const operands = part.words.slice(at + 1)
  if (!operands.includes("-delete")) return undefined
  const firstTest = operands.findIndex((word) => word.startsWith("-"))
  const roots = operands.slice(0, firstTest)
  const hit = (roots.length === 0 ? ["."] : roots).find((root) => criticalRemoval(root, places) !== undefined)
  const narrowed = operands.some((word) => /^-(?:i?name|i?path|i?regex|type|mtime|newer|size|empty)/.test(word))
  return hit === undefined || narrowed ? undefined : `Would remove everything below ${hit}`
}

const deviceDamage = (program: string, part: Part, at: number): string | undefined => {
  if (program.startsWith("mkfs")) return "Would make a new file system"
  if (program !== "dd" && !RIGHTS_CHANGERS.has(program)) return undefined
  const operands = part.words.slice(at + 1)
  if (program === "dd" && operands.some((word) => /^of=\/dev\/(?!null$|stdout$|stderr$|tty$|fd\/)/.test(word))) {
    return "Would overwrite a device"
  }
  const isRecursive = operands.some((word) => /^-[a-zA-Z]*R|^--recursive$/.test(word))
  return RIGHTS_CHANGERS.has(program) && isRecursive && operands.some((word) => /^\/+\*?$/.test(word))
    ? "Would change the rights of the whole system"
    : undefined
}

const disasterIn = (part: Part, places: DangerPlaces): string | undefined => {
  for (const [at, word] of part.words.entries()) {
    if (part.inert && at !== part.programAt) continue
    const program = baseName(word).toLowerCase()
    const found =
      (REMOVERS.has(program) ? removalIn(part, at, places) : undefined) ??
      (program === "find" ? findRemoval(part, at, places) : undefined) ??
      deviceDamage(program, part, at)
    if (found !== undefined) return found
  }
  return undefined
}

const FORK_BOMB = /([\w:.]{1,20})\s{0,5}\(\)\s{0,5}\{[^}]{0,200}\1\s{0,5}\|\s{0,5}\1/

/** A sentence about damage that no rule and no mode lifts; undefined for everything else. */
export const disaster = (reach: Reach, places: DangerPlaces): string | undefined => {
  if (FORK_BOMB.test(reach.raw)) return "Would start processes without end"
  for (const part of reach.parts) {
    const found = disasterIn(part, places)
    if (found !== undefined) return found
  }
  return undefined
}

type WordTest = (words: ReadonlyArray<string>) => boolean

const has =
  (...accepted: ReadonlyArray<string>): WordTest =>
  (words) =>
    words.some((word) => accepted.includes(word.split("=")[0] ?? word))
const shortFlag =
  (letter: string): WordTest =>
  (words) =>
    words.some((word) => new RegExp(`^-[A-Za-z]*${letter}`).test(word))
const always: WordTest = () => true
const either =
  (...tests: ReadonlyArray<WordTest>): WordTest =>
  (words) =>
    tests.some((test) => test(words))

/** Sub-commands of git that lose work, and when. */
const GIT_LOSSES: Readonly<Record<string, WordTest>> = {
  reset: has("--hard", "--merge", "--keep"),
  clean: either(shortFlag("f"), has("--force")),
  checkout: either(has("--", ".", "--force"), shortFlag("f")),
  restore: (words) => !words.includes("--staged") || words.includes("--worktree"),
  stash: has("drop", "clear"),
  branch: either(shortFlag("D"), has("--delete")),
  push: either(has("--force", "--force-with-lease", "--delete", "--mirror", "--prune"), shortFlag("f"), (words) =>
    words.some((word) => word.startsWith("+") || word.startsWith(":"))
  ),
  reflog: has("expire", "delete"),
  gc: has("--prune"),
  worktree: (words) => words.includes("remove") && (words.includes("--force") || words.includes("-f")),
  "filter-branch": always,
  "filter-repo": always
}

const gitLoss = (words: ReadonlyArray<string>): string | undefined => {
  const at = words.findIndex((word) => Object.hasOwn(GIT_LOSSES, word))
  const name = words[at]
  return name !== undefined && GIT_LOSSES[name]?.(words.slice(at + 1)) === true ? name : undefined
}

/** Programs that a pattern covers only when it names them. */
const MUST_BE_NAMED = new Set(
  "watch setsid ionice flock env sudo doas su xargs ssh npx bunx uvx pipx nohup timeout shred truncate".split(" ")
)
const INLINE_CODE = /^-[A-Za-z]*[ceEpr]|^--(?:eval|print)/
const FIND_ACTION = /^-(?:exec|execdir|ok|okdir|delete|fprint\w*|fls|x|X)$|^--exec/

/**
 * The word a pattern must spell out before it may cover this plain command; undefined when any pattern will do and
 * `null` when none will.
 */
export const wordToSpell = (words: ReadonlyArray<string>): string | null | undefined => {
  const [first = "", ...rest] = words
  const program = baseName(first)
  if (SHELL_CHANGING.has(program)) return null
  if (program === "git") return gitLoss(rest)
  if (program === "find" || program === "fd") {
    return rest.find((word) => FIND_ACTION.test(word))
  }
  if (SHELLS.has(program) || INTERPRETERS.has(program)) return rest.find((word) => INLINE_CODE.test(word))
  if (MUST_BE_NAMED.has(program) || program.startsWith("mkfs")) return program
  if (program === "dd" && rest.some((word) => word.startsWith("of="))) return "dd"
  const isRecursive = rest.some((word) => /^-[a-zA-Z]*R/.test(word) || word === "--recursive")
  return RIGHTS_CHANGERS.has(program) && isRecursive ? rest.find((word) => word.startsWith("-")) : undefined
}
