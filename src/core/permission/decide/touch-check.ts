import type { PermissionContext } from "../context.ts"
import { belowFact, type CallFacts, MOST_FOUND_BELOW } from "../facts.ts"
import { outsideSentence } from "./explain.ts"
import { visible } from "../../domain/text/visible-text.ts"
import { coveringPathRule, isCoveredSecret, isInsideWork } from "../rules/match-path.ts"
import { factAbout, pathVariants, isInsideAny, type Location } from "../../domain/path/path-components.ts"
import type { ShellPart, Touch } from "../bash/shell-analysis.ts"
import { isSeen } from "../bash/touches/searched-names.ts"
import type { Touched, TouchingPart } from "./request-subjects.ts"
import type { PlainReason } from "../verdict.ts"

/** Whether what a part of a command touches is permitted in its own right. */
export interface TouchFault {
  readonly type: PlainReason
  readonly sentence: string
  readonly blockedPath?: string
}

const fault = (type: PlainReason, sentence: string, blockedPath?: string): TouchFault => ({
  type,
  sentence,
  ...(blockedPath === undefined ? {} : { blockedPath })
})

export const secretSentence = (path: string): string => `${visible(path)} may show secrets`

const isReadableInternal = (place: Location, { readableDirs }: PermissionContext): boolean =>
  pathVariants(place).every((path) => isInsideAny(readableDirs, path))

/** Outside the working directories a rule must cover the place by itself. */
const outsideFault = (place: Location, touched: Touched, context: PermissionContext): TouchFault | undefined => {
  if (isInsideWork(place, context)) return undefined
  const isRead = touched.touch.access === "read"
  if (isRead && isReadableInternal(place, context)) return undefined
  if (coveringPathRule(isRead ? "Read" : "Edit", place, context) !== undefined) return undefined
  return fault("workingDir", outsideSentence(place, context.workingDirs), place.path)
}

/** With their harmless flags these show that a file is there, its size and its dates, and nothing of what is in it. */
const SHOW_NO_CONTENTS = new Set("ls stat du tree find fd fdfind test [ realpath readlink cd".split(" "))

/** Reads what is in it; what has moved can be read under its new name. */
const showsContents = ({ program, readOnly }: ShellPart, { access, via }: Touch): boolean => {
  if (access === "remove") return program === "mv"
  if (access === "write") return false
  return via === "redirect" || !readOnly.proven || !SHOW_NO_CONTENTS.has(program)
}

const secretFault = (place: Location, context: PermissionContext): TouchFault | undefined =>
  isCoveredSecret(place, context) ? fault("secretFile", secretSentence(place.path), place.path) : undefined

/** Programs that print or carry away what they find on their way down. */
const CARRIERS = new Set("grep egrep fgrep rg ag ack diff tar zip cp rsync scp 7z cpio mv".split(" "))

/** What lies below the touched directory matters: it goes away, or its contents are shown or carried off. */
export const takesAll = ({ program }: ShellPart, { recursive, access, rulesOnly }: Touch): boolean =>
  recursive && !rulesOnly && (access === "remove" || CARRIERS.has(program))

/** Programs that show names and sizes, not contents. */
const LISTERS = new Set("ls du find fd fdfind tree".split(" "))

/** What rules about paths name below the touched directory is touched as well. */
export const reachesBelow = ({ program }: ShellPart, { recursive, access }: Touch): boolean =>
  recursive && (access !== "read" || !LISTERS.has(program))

const secretBelow = (
  { touch, place }: Touched,
  part: ShellPart,
  { facts, context }: TouchSetting
): TouchFault | undefined => {
  if (place === undefined || touch.access === "write" || !takesAll(part, touch)) return undefined
  const secrets = belowFact(facts, place.path)?.secrets ?? []
  const { seen } = touch
  // A list that was cut may go on with files that are opened.
  const isWhole = secrets.length < MOST_FOUND_BELOW
  const secret = secrets.find(
    (path) =>
      (seen === undefined || !isWhole || isSeen(seen, place.path, path)) &&
      isCoveredSecret({ path, realPath: path }, context)
  )
  return secret === undefined ? undefined : fault("secretFile", secretSentence(secret), secret)
}

/**
 * Where links lead is not examined, so a search that follows them is not proven to stay inside. Links that get another
 * name were not there when somebody looked where the other parts of the text lead.
 */
const linkBelow = ({ touch, place }: Touched, { facts, isAlone }: TouchSetting): TouchFault | undefined => {
  const isRenamed = touch.copied === true && !isAlone
  if (place === undefined || (touch.followsLinks !== true && !isRenamed)) return undefined
  const [link] = belowFact(facts, place.path)?.links ?? []
  if (link === undefined) return undefined
  return fault("other", `${visible(link)} is a link that ${isRenamed ? "another part could follow" : "would be followed"}`)
}

export interface TouchSetting {
  readonly facts: CallFacts
  /** No other part of the same text runs before or after. */
  readonly isAlone: boolean
  readonly context: PermissionContext
}

/** A directory that is what its name says: going up from it leads to the directory above. */
const isRealDirectory = (path: string | undefined, { paths }: CallFacts): boolean => {
  const fact = path === undefined ? undefined : factAbout(paths, path)
  return fact?.exists === true && fact.realPath === path
}

const placeFaults = (touched: Touched, { facts, context }: TouchSetting): TouchFault | undefined => {
  const { touch, place, expanded, known } = touched
  if (touch.rulesOnly) return undefined
  const isPlain = touch.form === "plain" || (touch.form === "unprovable" && isRealDirectory(touch.upFrom, facts))
  if (place === undefined || !isPlain) {
    return fault("other", `where ${visible(touch.asked)} leads is only known at run time`)
  }
  if (!known) return fault("other", `${visible(touch.asked)} could not be examined`)
  for (const one of [place, ...expanded]) {
    const found = outsideFault(one, touched, context)
    if (found !== undefined) return found
  }
  return undefined
}

/** A secret that the part would read: no rule about commands makes it readable. */
export const secretTouched = ({ part, touched }: TouchingPart, setting: TouchSetting): TouchFault | undefined => {
  for (const one of touched) {
    const places = one.place === undefined ? one.expanded : [one.place, ...one.expanded]
    const shown = showsContents(part, one.touch) ? places : []
    const found =
      shown.map((place) => secretFault(place, setting.context)).find((secret) => secret !== undefined) ??
      secretBelow(one, part, setting)
    if (found !== undefined) return found
  }
  return undefined
}

/** What keeps the places a part touches from being permitted; undefined when all of them are. */
export const touchFault = (part: TouchingPart, setting: TouchSetting): TouchFault | undefined => {
  const secret = secretTouched(part, setting)
  if (secret !== undefined) return secret
  for (const touched of part.touched) {
    const found = placeFaults(touched, setting) ?? linkBelow(touched, setting)
    if (found !== undefined) return found
  }
  return undefined
}
