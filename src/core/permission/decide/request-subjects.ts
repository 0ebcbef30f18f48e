import type { PermissionRequest } from "../permission-request.ts"
import { type CallFacts, globFact, parserFrom } from "../facts.ts"
import { placeFor } from "./facts-wanted.ts"
import type { Need } from "../need.ts"
import { factAbout, placeOf, resolvePath, type Location } from "../../domain/path/path-components.ts"
import { putPlaces } from "./copy-destinations.ts"
import { analyse, type AnalyseOptions } from "../bash/analysis/analyse.ts"
import type { ShellAnalysis, ShellPart, Touch } from "../bash/shell-analysis.ts"

/** A need with what is known about it, computed once per decision. */
export type Subject = PathSubject | ShellSubject | FetchSubject | { readonly kind: "nothing" | "interaction" | "other" }

export interface PathSubject {
  readonly kind: "read" | "edit"
  /** The path as it was asked for. */
  readonly asked: string
  readonly place: Location
  /** False when nobody looked at the file system: never a reason to allow. */
  readonly known: boolean
  /** Everything below the place is read as well. */
  readonly below?: true
}

export interface ShellSubject {
  readonly kind: "shell"
  readonly command: string
  readonly analysis: ShellAnalysis
  /** The parts that run in their own right, each with the places it touches. */
  readonly parts: ReadonlyArray<TouchingPart>
}

export interface FetchSubject {
  readonly kind: "fetch"
  readonly url: string
  readonly host: string
}

export interface TouchingPart {
  readonly part: ShellPart
  readonly touched: ReadonlyArray<Touched>
}

/** One word of a command that names files, with where they are. */
export interface Touched {
  readonly touch: Touch
  /** Undefined when the place cannot be known before the command runs. */
  readonly place: Location | undefined
  /** What a glob stands for now, and what is put into a directory. */
  readonly expanded: ReadonlyArray<Location>
  /** Somebody looked at the file system, and saw all of it. */
  readonly known: boolean
}

const shellCwd = (request: Pick<PermissionRequest, "context" | "cwd">): string => request.cwd ?? request.context.cwd.path

const touchedBy = (touch: Touch, facts: CallFacts): Touched => {
  if (touch.path === undefined) return { touch, place: undefined, expanded: [], known: false }
  const fact = factAbout(facts.paths, touch.path)
  const glob = touch.glob === undefined ? undefined : globFact(facts, touch.glob)
  return {
    touch,
    place: placeOf(touch.path, fact),
    expanded: [...(glob?.matches ?? []), ...putPlaces(touch, facts)].map((match) =>
      placeOf(match, factAbout(facts.paths, match))
    ),
    known: fact !== undefined && (touch.glob === undefined || glob?.complete === true)
  }
}

const analysisOptions = (request: PermissionRequest): AnalyseOptions => ({
  ...placeFor(request),
  parse: parserFrom(request.facts),
  repository: request.facts.repository
})

const shellSubject = (command: string, request: PermissionRequest): ShellSubject => {
  const { facts } = request
  const analysis = request.analysed?.get(command) ?? analyse(command, analysisOptions(request))
  return {
    kind: "shell",
    command,
    analysis,
    parts: analysis.parts.map((part) => ({ part, touched: part.touches.map((touch) => touchedBy(touch, facts)) }))
  }
}

const pathSubject = (need: Extract<Need, { readonly kind: "read" | "edit" }>, request: PermissionRequest): PathSubject => {
  const { path: asked, ...rest } = need
  const path = resolvePath(shellCwd(request), asked)
  const fact = factAbout(request.facts.paths, path)
  return { ...rest, asked, place: placeOf(path, fact), known: fact !== undefined }
}

const subjectOf = (need: Need, request: PermissionRequest): Subject => {
  switch (need.kind) {
    case "read":
    case "edit":
      return pathSubject(need, request)
    case "shell":
      return shellSubject(need.command, request)
    case "fetch":
    case "nothing":
    case "interaction":
    case "other":
      return need
  }
}

/** The need again, with the path that was decided about. */
export const needOf = (subject: Subject): Need => {
  switch (subject.kind) {
    case "read":
      return { kind: "read", path: subject.place.path, ...(subject.below === undefined ? {} : { below: subject.below }) }
    case "edit":
      return { kind: "edit", path: subject.place.path }
    case "shell":
      return { kind: "shell", command: subject.command }
    case "fetch":
      return { kind: "fetch", url: subject.url, host: subject.host }
    case "nothing":
    case "interaction":
    case "other":
      return { kind: subject.kind }
  }
}

/** A call that declares no needs is decided by rules on its name, never waved through. */
export const subjectsOf = (request: PermissionRequest): ReadonlyArray<Subject> =>
  request.needs.length === 0 ? [{ kind: "other" }] : request.needs.map((need) => subjectOf(need, request))
