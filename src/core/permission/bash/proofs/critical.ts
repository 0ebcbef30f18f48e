import { isInside, resolvePath } from "../../../domain/path/path-components.ts"
import type { Touch } from "../shell-analysis.ts"
import { readArguments, textOf } from "../arguments/arguments.ts"
import { findRoots, isNarrowed } from "../touches/operands-find.ts"
import { gitVerbAt } from "../touches/operands-git.ts"
import type { Platform } from "../touches/path-touch.ts"
import { DYNAMIC, type Word } from "../program.ts"
import { programNamed } from "../tables/programs.ts"
import { nameOf } from "../arguments/wrappers.ts"

/** Damage that no rule and no mode lifts. */
export interface CriticalPlaces {
  readonly home: string
  /** Where the command runs; undefined when it is not known. */
  readonly cwd: string | undefined
  /** Every form under which the working directories are known. */
  readonly workingDirs: ReadonlyArray<string>
  readonly platform: Platform
}

const REMOVERS: ReadonlySet<string> = new Set(["rm", "rmdir", "unlink"])

/** Stands for everything in a directory. */
const EVERYTHING = /^(?:\*+|\.\*|\.\[!\.\]\*|\.\?\*|\*\.\*|\{.*\*.*\})$/

const isSystem = (path: string, { home, platform }: CriticalPlaces): boolean =>
  path.split("/").filter((component) => component !== "").length <= 1 ||
  isInside(path, home) ||
  (platform !== "posix" && /^\/(?:mnt\/|cygdrive\/)?[a-z](?:\/[^/]*)?$/i.test(path))

const isOurs = (path: string, { cwd, workingDirs }: CriticalPlaces): boolean =>
  (cwd !== undefined && isInside(path, cwd)) || workingDirs.some((directory) => isInside(path, directory))

/** Why removing the directory would be a disaster. */
const criticalDirectory = (path: string, places: CriticalPlaces): string | undefined => {
  if (path === places.home) return "the home directory"
  if (isInside(path, places.home) && path !== "/") return "above the home directory"
  if (isSystem(path, places)) return path === "/" ? "the whole file system" : "a directory of the system"
  return isOurs(path, places) ? "the working directory or above it" : undefined
}

const UNDER_UNKNOWN = new RegExp(`^[^/]*${DYNAMIC}[^/]*/+(?:[^/]*[*?[][^/]*)?$`)
const EMPTY_VARIABLE = "with an empty variable it would be a whole directory"

const criticalUnknown = (text: string, { home }: CriticalPlaces): string | undefined => {
  if (UNDER_UNKNOWN.test(text)) return EMPTY_VARIABLE
  const rest = text.startsWith("/") ? resolvePath("/", text.replaceAll(DYNAMIC, "")) : undefined
  return rest === "/" || rest === home ? EMPTY_VARIABLE : undefined
}

const BRACES = /\{([^{}]*,[^{}]*)\}/
const MOST_FORMS = 32

/** What an operand may become: braces are spelled out, and `$(pwd)` is where the command runs. */
const formsOf = (word: Word, { cwd, home }: CriticalPlaces): ReadonlyArray<string> => {
  const isHere = word.dynamic.length === 1 && /^(?:\$\(|`)\s*pwd\s*[)`]$/.test(word.dynamic[0]?.source ?? "")
  const text = isHere && cwd !== undefined ? word.literal.replace(DYNAMIC, cwd) : textOf(word)
  const done: Array<string> = []
  const left = [text.replace(/^~(?=\/|$)/, home)]
  const hasBraces = word.dynamic.some(({ kind }) => kind === "braces")
  for (let form = left.pop(); form !== undefined && done.length < MOST_FORMS; form = left.pop()) {
    const braces = hasBraces && left.length < MOST_FORMS ? BRACES.exec(form) : null
    if (braces === null) done.push(form)
    else {
      const [all, list = ""] = braces
      const { index } = braces
      const [before, after] = [form.slice(0, index), form.slice(index + all.length)]
      left.push(...list.split(",").map((one) => `${before}${one}${after}`))
    }
  }
  return done
}

const criticalForm = (text: string, places: CriticalPlaces): string | undefined => {
  if (text === "") return undefined
  if (text.includes(DYNAMIC)) return criticalUnknown(text, places)
  if (/^[A-Za-z]:[\\/]+[^\\/]*[\\/]*$/.test(text)) return "a drive or a directory at its top"
  const components = text.replace(/\/+$/, "").split("/")
  const isAll = EVERYTHING.test(components.at(-1) ?? "")
  const directory = isAll ? components.slice(0, -1).join("/") : text
  const place = directory === "" ? (text.startsWith("/") ? "/" : ".") : directory
  if (place.startsWith("/")) return criticalDirectory(resolvePath("/", place), places)
  if (places.cwd === undefined) return /^[./]+$/.test(place) ? "the directory that it runs in" : undefined
  return criticalDirectory(resolvePath(places.cwd, place), places)
}

/** Why removing the operand would be a disaster. */
export const criticalOperand = (word: Word, places: CriticalPlaces): string | undefined => {
  for (const form of formsOf(word, places)) {
    const why = criticalForm(form, places)
    if (why !== undefined) return why
  }
  return undefined
}

const removes = (operands: ReadonlyArray<Word>, places: CriticalPlaces): string | undefined => {
  for (const word of operands) {
    const why = criticalOperand(word, places)
    if (why !== undefined) return `Would remove ${word.source} (${why})`
  }
  return undefined
}

const operandsAfter = (words: ReadonlyArray<Word>, at: number, name: string): ReadonlyArray<Word> => {
  const known = programNamed(name)
  return known === undefined ? words.slice(at + 1) : readArguments(words, at + 1, known).operands
}

/** What belongs to the system or is the user's home; for actions that do not meet everything below. */
const systemOnly = (roots: ReadonlyArray<Word>, places: CriticalPlaces): string | undefined =>
  removes(
    roots.filter((root) => /^[/~]/.test(textOf(root))),
    { ...places, workingDirs: [], cwd: undefined }
  )

/** `-exec rm` removes as `-delete` does. */
const runsRemover = (words: ReadonlyArray<Word>, index: number): boolean => {
  const [action, program] = [words[index], words[index + 1]]
  if (action === undefined || program === undefined) return false
  return /^-(?:exec|ok)(?:dir)?$/.test(textOf(action)) && REMOVERS.has(nameOf(program))
}

const findRemoval = (words: ReadonlyArray<Word>, at: number, places: CriticalPlaces): string | undefined => {
  if (!words.some((word, index) => textOf(word) === "-delete" || runsRemover(words, index))) return undefined
  const roots = findRoots(words, at)
  if (isNarrowed(words, at)) return systemOnly(roots, places)
  return roots.length === 0 ? "Would remove everything below the current directory" : removes(roots, places)
}

const gitRemoval = (words: ReadonlyArray<Word>, at: number, places: CriticalPlaces): string | undefined => {
  const verbAt = gitVerbAt(words, at)
  const verb = words[verbAt]
  if (verb === undefined || textOf(verb) !== "clean") return undefined
  const roots = words.slice(verbAt + 1).filter((word) => !textOf(word).startsWith("-"))
  if (roots.length === 0 && places.cwd !== undefined && isInside(places.cwd, places.home)) {
    return `Would remove what is in ${places.cwd} (the home directory or above it)`
  }
  return systemOnly(roots, places)
}

/** Devices that are not disks. */
const HARMLESS_DEVICE = /^\/dev\/(?:null|zero|stdout|stderr|tty|full|shm(?:\/.*)?|fd\/.*|pts\/.*)$/

const hazard = (words: ReadonlyArray<Word>, at: number, name: string, places: CriticalPlaces): string | undefined => {
  if (/^mkfs(?:\.|$)/.test(name)) return "Would make a new file system"
  const rest = words.slice(at + 1).map(textOf)
  if (name === "dd") {
    const device = rest.find((text) => text.startsWith("of=/dev/") && !HARMLESS_DEVICE.test(text.slice(3)))
    return device === undefined ? undefined : `Would overwrite ${device.slice(3)}`
  }
  if (name !== "chmod" && name !== "chown" && name !== "chgrp") return undefined
  const isDeep = rest.some((text) => /^-[A-Za-z]*R|^--recursive$/.test(text))
  const whole = rest.find((text) => /^\/+(?:\.\/*)*\*?$/.test(text) || resolvePath("/", text) === places.home)
  return isDeep && whole !== undefined ? `Would change the rights of everything in ${whole}` : undefined
}

const DAMAGING: ReadonlySet<string> = new Set([...REMOVERS, "shred", "find", "git", "dd", "chmod", "chown", "chgrp"])

export const canDamage = (name: string): boolean => DAMAGING.has(name) || name.startsWith("mkfs")

/** The damage that the program at `at` would do, as a sentence. */
export const criticalAt = (words: ReadonlyArray<Word>, at: number, places: CriticalPlaces): string | undefined => {
  const program = words[at]
  if (program === undefined) return undefined
  const name = nameOf(program)
  if (REMOVERS.has(name)) return removes(operandsAfter(words, at, name), places)
  if (name === "shred") {
    const isRemoving = words.some((word) => /^-[a-z]*u|^--remove/.test(textOf(word)))
    return isRemoving ? removes(operandsAfter(words, at, name), places) : undefined
  }
  if (name === "find") return findRemoval(words, at, places)
  return name === "git" ? gitRemoval(words, at, places) : hazard(words, at, name, places)
}

const DISK = /^\/dev\/(?:[shvx]d[a-z]|nvme|mmcblk|disk|r?disk\d|mapper\/|dm-|md\d|loop\d|mem$|kmem$|port$)/

/** A disk written to by whatever program. */
export const overwrittenDisk = (touches: ReadonlyArray<Touch>): string | undefined => {
  const disk = touches.find(({ access, path }) => access === "write" && path !== undefined && DISK.test(path))
  return disk === undefined ? undefined : `Would overwrite ${disk.path ?? ""}`
}

const FORK_BOMB = /([\w:.]{1,20})\s{0,5}\(\)\s{0,5}\{[^}]{0,200}\1\s{0,5}\|\s{0,5}\1/

export const forkBomb = (source: string): string | undefined =>
  source.includes("{") && FORK_BOMB.test(source) ? "Would start processes without end" : undefined
