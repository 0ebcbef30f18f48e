import type { PermissionContext } from "./context.ts"
import type { CallFacts } from "./facts.ts"
import { outsideSentence, visible } from "./explain.ts"
import { coveringPathRule, isCoveredSecret, isInsideWork } from "./match-path.ts"
import { formsOf, isInsideAny, type Location } from "./path-scope.ts"
import type { ShellPart, Touch } from "./shell/analysis.ts"
import type { Touched, TouchingPart } from "./subject.ts"
import type { PlainReason } from "./verdict.ts"

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
  formsOf(place).every((path) => isInsideAny(readableDirs, path))

/** Outside the working directories a rule must cover the place by itself. */
const outsideFault = (place: Location, touched: Touched, context: PermissionContext): TouchFault | undefined => {
  if (isInsideWork(place, context)) return undefined
  const isRead = touched.touch.access === "read"
  if (isRead && isReadableInternal(place, context)) return undefined
  if (coveringPathRule(isRead ? "Read" : "Edit", place, context) !== undefined) return undefined
  return fault("workingDir", outsideSentence(place, context.workingDirs), place.path)
}

const secretFault = (place: Location, { touch }: Touched, context: PermissionContext): TouchFault | undefined =>
  touch.access !== "write" && touch.access !== "remove" && isCoveredSecret(place, context)
    ? fault("secretFile", secretSentence(place.path), place.path)
    : undefined

/** Programs that print or carry away what they find on their way down. */
const CARRIERS = new Set("grep egrep fgrep rg ag ack diff tar zip cp rsync scp 7z cpio mv".split(" "))

/** What lies below the touched directory matters: it goes away, or its contents are shown or carried off. */
export const takesAll = ({ program }: ShellPart, { recursive, access, rulesOnly }: Touch): boolean =>
  recursive && !rulesOnly && (access === "remove" || CARRIERS.has(program))

const secretBelow = (
  { touch, place }: Touched,
  part: ShellPart,
  { facts, context }: TouchSetting
): TouchFault | undefined => {
  if (place === undefined || !takesAll(part, touch)) return undefined
  const below = facts.below.find(({ path }) => path === place.path)
  const secret = below?.secrets.find((path) => isCoveredSecret({ path, realPath: path }, context))
  return secret === undefined ? undefined : fault("secretFile", secretSentence(secret), secret)
}

export interface TouchSetting {
  readonly facts: CallFacts
  readonly context: PermissionContext
}

const placeFaults = (touched: Touched, context: PermissionContext): TouchFault | undefined => {
  const { touch, place, expanded, known } = touched
  if (touch.rulesOnly) return undefined
  if (place === undefined || touch.form !== "plain") {
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
    const found =
      places.map((place) => secretFault(place, one, setting.context)).find((secret) => secret !== undefined) ??
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
    const found = placeFaults(touched, setting.context)
    if (found !== undefined) return found
  }
  return undefined
}
