import { dynamicOperand, touchedPaths, type Touch } from "./command-touch.ts"
import { reachOf, type Reach } from "./command-reach.ts"
import type { PermissionContext } from "./context.ts"
import type { Need, PathFact } from "./need.ts"
import { factAbout, resolvePath, type Location } from "./path-scope.ts"

/** One call to be decided. */
export interface PermissionRequest {
  readonly context: PermissionContext
  readonly tool: DecidedTool
  readonly needs: ReadonlyArray<Need>
  readonly facts: ReadonlyArray<PathFact>
  /** The input as the model wrote it, for rules about single fields. */
  readonly input: unknown
  /** Current directory of the session's shell; absent: where the session was started. */
  readonly cwd?: string
}

export interface DecidedTool {
  readonly name: string
  readonly aliases: ReadonlyArray<string>
  readonly readOnly?: boolean
}

/** A need with what is known about it, computed once per decision. */
export type Subject =
  | {
      readonly kind: "read" | "edit"
      /** The path as it was asked for. */
      readonly asked: string
      readonly place: Location
      /** False when nobody looked at the file system: never a reason to allow. */
      readonly known: boolean
    }
  | {
      readonly kind: "shell"
      readonly command: string
      readonly reach: Reach
      readonly touches: ReadonlyArray<TouchedPlace>
      readonly dynamicOperand: string | undefined
    }
  | { readonly kind: "fetch"; readonly url: string; readonly host: string }
  | { readonly kind: "nothing" | "interaction" | "other" }

export interface TouchedPlace extends Touch {
  readonly place: Location
}

const shellCwd = (request: PermissionRequest): string => request.cwd ?? request.context.cwd.path

const shellSubject = (command: string, request: PermissionRequest): Subject => {
  const home = request.context.home.path
  const reach = reachOf(command, home)
  const touches = touchedPaths(reach, shellCwd(request), home).map((touch) => {
    const fact = factAbout(request.facts, touch.path)
    return { ...touch, place: { path: touch.path, realPath: fact?.realPath ?? touch.path } }
  })
  return { kind: "shell", command, reach, touches, dynamicOperand: dynamicOperand(reach) }
}

const pathSubject = (kind: "read" | "edit", asked: string, request: PermissionRequest): Subject => {
  const path = resolvePath(shellCwd(request), asked)
  const fact = factAbout(request.facts, path)
  return { kind, asked, place: { path, realPath: fact?.realPath ?? path }, known: fact !== undefined }
}

const subjectOf = (need: Need, request: PermissionRequest): Subject => {
  switch (need.kind) {
    case "read":
    case "edit":
      return pathSubject(need.kind, need.path, request)
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
    case "edit":
      return { kind: subject.kind, path: subject.place.path }
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

/** Paths worth looking up before deciding: those of the needs and those a command seems to touch. */
export const pathsToExamine = (request: Omit<PermissionRequest, "facts">): ReadonlyArray<string> => {
  const paths = subjectsOf({ ...request, facts: [] }).flatMap((subject) => {
    if (subject.kind === "shell") return subject.touches.map(({ path }) => path)
    return subject.kind === "read" || subject.kind === "edit" ? [subject.place.path] : []
  })
  return [...new Set(paths)]
}
