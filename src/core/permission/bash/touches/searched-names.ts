import type { SeenNames } from "../shell-analysis.ts"
import { componentsOf } from "../../../domain/path/path-components.ts"
import { matchesStars } from "../../../domain/text/wildcard.ts"
import { hasFlag, type Arguments } from "../arguments/arguments.ts"

const valuesOf = ({ flags }: Arguments, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  flags.flatMap(({ name, value }) => (value !== undefined && names.includes(name) ? [value] : []))

/** Patterns that match more than their text says are not taken for a reason to leave something out. */
const plainPatterns = (patterns: ReadonlyArray<string>): ReadonlyArray<string> =>
  patterns.filter((pattern) => !/[?[\\]/.test(pattern))

/** When the first of its flags leaves something out, grep opens what matches none of them. */
const grepNames = (given: Arguments): SeenNames => {
  const first = given.flags.find(({ name }) => name === "--include" || name === "--exclude")?.name
  return {
    hidden: true,
    only: first === "--include" ? valuesOf(given, ["--include"]) : [],
    without: valuesOf(given, ["--include"]).length > 0 ? [] : plainPatterns(valuesOf(given, ["--exclude"])),
    withoutDirectories: plainPatterns(valuesOf(given, ["--exclude-dir"]))
  }
}

/** No file has this name: none is opened. */
const NONE: SeenNames = { hidden: false, only: [""], without: [], withoutDirectories: [] }

/** Patterns that let files in also let hidden ones in. With `--files` only names are shown. */
const rgNames = (given: Arguments): SeenNames => {
  if (hasFlag(given, "--files")) return NONE
  const globs = valuesOf(given, ["-g", "--glob", "--iglob"]).filter((glob) => !glob.startsWith("!"))
  const unrestricted = given.flags.filter(({ name }) => name === "-u" || name === "--unrestricted").length
  return {
    hidden: globs.length > 0 || unrestricted > 1 || hasFlag(given, "--hidden -."),
    only: globs,
    without: [],
    withoutDirectories: []
  }
}

export const seenNames = (name: string, given: Arguments): SeenNames | undefined =>
  name === "rg" ? rgNames(given) : /^[ef]?grep$/.test(name) ? grepNames(given) : undefined

const BRACES = /\{([^{}]*)\}/
const MOST_FORMS = 32

/** The names that a pattern may stand for, with `*` for anything; a little more than it really matches. */
const formsOf = (pattern: string): ReadonlyArray<string> => {
  const done: Array<string> = []
  const left = [pattern]
  for (let form = left.pop(); form !== undefined; form = left.pop()) {
    const braces = BRACES.exec(form)
    if (braces === null) done.push((form.split("/").at(-1) ?? "").replace(/\[[^\]]*\]?|\?|\\./g, "*"))
    else if (left.length + done.length > MOST_FORMS) return ["*"]
    else {
      const [all, list = ""] = braces
      const [before, after] = [form.slice(0, braces.index), form.slice(braces.index + all.length)]
      left.push(...list.split(",").map((one) => `${before}${one}${after}`))
    }
  }
  return done
}

/** Whether the search opens the file at `path` somewhere below `root`. */
export const isSeen = ({ hidden, only, without, withoutDirectories }: SeenNames, root: string, path: string): boolean => {
  const components = componentsOf(path).slice(componentsOf(root).length)
  const name = components.at(-1) ?? ""
  if (!hidden && components.some((component) => component.startsWith("."))) return false
  if (only.length > 0 && !only.flatMap(formsOf).some((form) => matchesStars(form, name, true))) return false
  if (without.some((pattern) => matchesStars(pattern, name))) return false
  const directories = components.slice(0, -1)
  return !withoutDirectories.some((pattern) => directories.some((one) => matchesStars(pattern, one)))
}
