import { isRaw, type JsonObject } from "../../domain/json/json-object.ts"
import type { Edit } from "../../domain/json/patch.ts"
import type { SearchPlace } from "./place.ts"

/** What the user said about files outside of a project that its instructions import; in the shared `~/.claude.json`. */

/** Other programs know that somebody said yes, but not to what. */
const APPROVED = "hasClaudeMdExternalIncludesApproved"
const OWN = "nacreImports"

const approvedOf = (project: unknown): SearchPlace["approved"] => {
  if (!isRaw(project) || project[APPROVED] !== true) return new Set()
  const own = project[OWN]
  if (own === undefined) return "everything"
  return new Set(Array.isArray(own) ? own.filter((path): path is string => typeof path === "string") : [])
}

/** Under the first of the names that something was approved for. */
export const approvedImports = (config: JsonObject, keys: ReadonlyArray<string>): SearchPlace["approved"] => {
  const projects = isRaw(config["projects"]) ? config["projects"] : {}
  const found = keys.filter((key) => Object.hasOwn(projects, key)).map((key) => approvedOf(projects[key]))
  return found.find((approved) => approved === "everything" || approved.size > 0) ?? new Set()
}

/** Approves exactly these files, from now on. */
export const approveImports = (key: string, paths: ReadonlyArray<string>): ReadonlyArray<Edit> => [
  { path: ["projects", key, APPROVED], value: true },
  { path: ["projects", key, OWN], value: paths.toSorted() }
]

/** Nothing from outside is read any more. */
export const refuseImports = (key: string): ReadonlyArray<Edit> => [
  { path: ["projects", key, APPROVED], value: undefined },
  { path: ["projects", key, OWN], value: undefined }
]
