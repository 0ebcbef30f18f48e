import type { PermissionRequest } from "../permission-request.ts"
import { runsSandboxed } from "./sandbox-placement.ts"
import { resolvePath } from "../../domain/path/path-components.ts"
import { watchedPatterns, watchedStarts } from "../rules/rule-index.ts"
import type { Platform } from "../bash/touches/path-touch.ts"

/** What the shell is to find out before a decision. */
export interface FactsWanted {
  readonly paths: ReadonlyArray<string>
  /** Commands to be parsed; which paths they touch is known only then. */
  readonly commands: ReadonlyArray<string>
  readonly place: AnalysisPlace
  /** Absolute patterns of deny and ask rules, to be looked for where a command takes directories as a whole. */
  readonly watched: ReadonlyArray<string>
  /** Paths that deny and ask rules spell out: where they lead matters as well. */
  readonly ruleStarts: ReadonlyArray<string>
  /** The command is to run in the sandbox: whether that works here is found out too. */
  readonly confined: boolean
}

/** Where a command is read as if it stood there. */
export interface AnalysisPlace {
  readonly cwd: string
  readonly home: string
  readonly workingDirs: ReadonlyArray<string>
  readonly platform: Platform
}

export const NOTHING_WANTED: FactsWanted = {
  paths: [],
  commands: [],
  place: { cwd: "/", home: "/", workingDirs: [], platform: "posix" },
  watched: [],
  ruleStarts: [],
  confined: false
}

export const placeFor = ({ context, cwd }: Pick<PermissionRequest, "context" | "cwd">): AnalysisPlace => ({
  cwd: cwd ?? context.cwd.path,
  home: context.home.path,
  workingDirs: [...new Set(context.workingDirs.flatMap(({ path, realPath }) => [path, realPath]))],
  platform: context.platform
})

/** The paths of the call, and the working directories, which may have been replaced since they were added. */
export const factsWanted = (request: Omit<PermissionRequest, "facts">): FactsWanted => {
  const place = placeFor(request)
  const asked = request.needs.flatMap((need) =>
    need.kind === "read" || need.kind === "edit" ? [resolvePath(place.cwd, need.path)] : []
  )
  const commands = request.needs.flatMap((need) => (need.kind === "shell" ? [need.command] : []))
  const directories = request.context.workingDirs.map(({ path }) => path)
  const isAboutPlaces = asked.length + commands.length > 0
  return {
    paths: isAboutPlaces ? [...new Set([...asked, ...directories])] : [],
    commands,
    place,
    ruleStarts: isAboutPlaces ? watchedStarts(request.context) : [],
    watched: commands.length === 0 ? [] : watchedPatterns(request.context),
    confined: commands.some((command) => runsSandboxed(request, command))
  }
}
