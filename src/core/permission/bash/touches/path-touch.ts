import { resolvePath } from "../../../domain/path/path-components.ts"
import type { Touch } from "../shell-analysis.ts"
import { textOf } from "../arguments/arguments.ts"
import type { Word } from "../program.ts"

/** Turns words into places. */
export interface Places {
  readonly home: string
  /** Where relative paths start; undefined when a `cd` cannot be followed. */
  readonly cwd: string | undefined
  /** Where they might start as well, for deny and ask. */
  readonly others: ReadonlyArray<string>
  /** Where they start when a `cd` failed. */
  readonly stays: ReadonlyArray<string>
  /** A `cd` came before; through a link `..` may then lead elsewhere than the text says. */
  readonly moved: boolean
  readonly platform: Platform
  /** The top of the repository's working tree, where there is one. */
  readonly tree?: string | undefined
}

/** Windows reads some names in its own way; so does Linux below `/mnt/c` when it runs inside Windows. */
export type Platform = "posix" | "windows" | "wsl"

export type Access = Touch["access"]

/** The streams of the command and the null device are not files. The terminal is one: whoever writes there can draw over us. */
const STREAM = /^(?:-|\/dev\/(?:null|stdin|stdout|stderr|fd\/[012]))$/

export const isStream = (text: string): boolean => STREAM.test(text)

const UNSAFE = /^(?:\\\\|\\\?\?\\)|[\0\n\r]/
const UNSAFE_WINDOWS =
  /^\/\/[^/]|~\d|[. ]$|(?:^|\/)\.{3,}(?:\/|$)|(?:^|[\\/])(?:con|prn|aux|nul|com\d|lpt\d)(?:\.[^\\/]*)?$|[^\\/:]:[^\\/]/i
const UNPROVABLE = /[$]|%[A-Za-z_]\w*%|^[=~]/
/** Leads to wherever the process that asks is, or to what it has open. */
const OF_PROCESS = /^\/proc\/(?:self|thread-self|\d+)\/(?:task\/\d+\/)?(?:cwd|root|fd|exe)(?:\/|$)/

/** `x/..` is not here when x is a link. */
const UP_AGAIN = /(?:^|\/)(?!\.{1,2}\/)[^/]+\/+(?:\.\/+)*\.\.(?:\/|$)/

/** How the raw text of a path looks, before anything is resolved. */
export const pathForm = (text: string, platform: Platform): Touch["form"] => {
  if (UNSAFE.test(text)) return "unsafe"
  const isOfWindows = platform === "windows" || (platform === "wsl" && /^\/mnt\/[a-z]\//i.test(text))
  const isDots = /(?:^|\/)\.{1,2}$/.test(text)
  if (isOfWindows && !isDots && UNSAFE_WINDOWS.test(text)) return "unsafe"
  return UNPROVABLE.test(text) || UP_AGAIN.test(text) ? "unprovable" : "plain"
}

const GLOB = /[*?[]/

/** The directory above the first part with a wildcard. */
const globBase = (text: string): string => {
  const components = text.split("/")
  const first = components.findIndex((component) => GLOB.test(component))
  const base = components.slice(0, first).join("/")
  return base === "" ? (text.startsWith("/") ? "/" : ".") : base
}

/** The pattern seen from the root. */
const patternBelow = (base: string, text: string): string => {
  const components = text.split("/").filter((component) => component !== "")
  const tail = components.slice(components.findIndex((component) => GLOB.test(component)))
  return `${base === "/" ? "" : base}/${tail.join("/")}`
}

export interface TouchOptions {
  readonly via?: Touch["via"]
  readonly recursive?: boolean
  readonly rulesOnly?: boolean
  readonly followsLinks?: boolean
}

/** A path given as text that is known; `glob` when it has wildcards of the shell. */
export const touchesOfText = (
  text: string,
  access: Access,
  places: Places,
  options: TouchOptions & { readonly glob?: boolean } = {}
): ReadonlyArray<Touch> => {
  if (text === "" || isStream(text)) return []
  const { via = "operand", recursive = false, rulesOnly = false, glob = false } = options
  const isAbsolute = text.startsWith("/")
  const make = (base: string | undefined, forRules: boolean): Touch => {
    const place = glob ? globBase(text) : text
    const isUnknown = isAbsolute && OF_PROCESS.test(resolvePath("/", place))
    const path = isUnknown
      ? undefined
      : isAbsolute
        ? resolvePath("/", place)
        : base === undefined
          ? undefined
          : resolvePath(base, place)
    const pattern = glob && path !== undefined ? patternBelow(path, text) : undefined
    const touch = { access, via, asked: text, path, glob: pattern, recursive, rulesOnly: forRules, form }
    return {
      ...touch,
      ...(options.followsLinks === true ? { followsLinks: true } : {}),
      ...(upFrom === undefined || forRules ? {} : { upFrom })
    }
  }
  const goesUp = places.moved && /^(?:\.\/+)*\.\.(?:\/|$)/.test(text)
  // The shell itself goes up by the text; programs go up from where the directory really is.
  const isCertain = places.stays.length === 0 && places.cwd !== undefined
  const isUncertain = goesUp && !(isCertain && via === "directory")
  const written = pathForm(text, places.platform)
  const upFrom = isUncertain && isCertain && written === "plain" ? places.cwd : undefined
  const form = isUncertain && written === "plain" ? "unprovable" : written
  const first = make(places.cwd, rulesOnly)
  if (isAbsolute || places.others.length === 0) return [first]
  const { others, stays } = places
  return [
    first,
    ...others.filter((base) => base !== places.cwd).map((base) => make(base, rulesOnly || !stays.includes(base)))
  ]
}

/** The places of a program that goes to another directory first. */
export const placesBelow = (directory: Word, places: Places): Places => {
  const [found] = touchesOfWord(directory, "read", places)
  return { ...places, cwd: found?.path, others: [], stays: [], moved: true }
}

/** A word of the command as a path; of a dynamic one nobody knows the place. */
export const touchesOfWord = (
  word: Word,
  access: Access,
  places: Places,
  options: TouchOptions = {}
): ReadonlyArray<Touch> => {
  if (word.value !== undefined) return touchesOfText(word.value, access, places, { ...options, glob: word.glob })
  const { via = "operand", recursive = false, rulesOnly = false } = options
  const form = UNSAFE.test(textOf(word)) ? "unsafe" : "unprovable"
  return [{ access, via, asked: word.source, path: undefined, glob: undefined, recursive, rulesOnly, form }]
}

/** Leaves the place where it starts by itself. */
export const isExplicit = (text: string): boolean => text.startsWith("/") || text.split("/").includes("..")

/** The ways one word of an unknown program can hold a path: itself, a flag's value, `@file`, a side of a colon. */
const piecesOf = (text: string): ReadonlyArray<string> => {
  if (/[\n\0]/.test(text) || text.includes("://")) return []
  const pieces = text.startsWith("-") ? [] : [text]
  const equals = text.indexOf("=")
  if (equals >= 0) pieces.push(text.slice(equals + 1))
  const attached = /^-[A-Za-z]([^-=].*)$/.exec(text)?.[1]
  if (attached !== undefined) pieces.push(attached)
  if (text.startsWith("@")) pieces.push(text.slice(1))
  if (/[:,]/.test(text)) pieces.push(...text.split(/[:,=]/))
  return pieces.filter((piece) => piece !== "")
}

/** A word that may be a path: read and written for rules; for the place it counts only when it leaves by itself. */
export const maybeTouches = (word: Word, places: Places, rulesOnly = false): ReadonlyArray<Touch> => {
  if (word.value === undefined) return touchesOfWord(word, "maybe", places, { rulesOnly: true })
  const glob = word.glob
  return piecesOf(word.value).flatMap((piece) =>
    touchesOfText(piece, "maybe", places, {
      rulesOnly: rulesOnly || !isExplicit(piece),
      glob: glob && GLOB.test(piece)
    })
  )
}

/** Flags whose file lists other files. */
const LISTING_FLAG = /^(?:-T|--files-from|--files0-from|--arg-file)$/

export const isListOfFiles = (flag: string): boolean => LISTING_FLAG.test(flag)

/** Files that only the program will know; for rules. */
export const unknownTouch = ({ source }: Word): Touch => ({
  access: "read",
  via: "operand",
  asked: source,
  path: undefined,
  glob: undefined,
  recursive: false,
  rulesOnly: true,
  form: "unprovable"
})
