import { componentsAsSpelled, isInside } from "../../domain/path/path-components.ts"
import type { Presence } from "../../domain/path/presence.ts"
import { Collector, type Source } from "./collect.ts"
import type { LoadReason } from "./instruction-file.ts"
import { type PathRule, ruleMatches } from "./path-rules.ts"
import { chainTo, directoriesBetween, isOtherCheckout, type SearchPlace } from "./place.ts"
import { type Found, search, type Step, type World } from "./search.ts"

/** More rules than this are not read. */
export const MOST_RULES = 1_000

const byCodePoint = (left: { readonly name: string }, right: { readonly name: string }): number => {
  const [one, other] = [Array.from(left.name), Array.from(right.name)]
  const at = one.findIndex((character, index) => character !== other[index])
  if (at < 0) return one.length - other.length
  return (one[at]?.codePointAt(0) ?? 0) - (other[at]?.codePointAt(0) ?? -1)
}

/** What one look shares while it goes through the places. */
interface Look {
  readonly place: SearchPlace
  readonly world: World
  readonly collector: Collector
}

const joined = (directory: string, name: string): string => `${directory === "/" ? "" : directory}/${name}`

/** Markdown below a directory in the order of its names; a directory that links reach twice is listed once. */
const addRules = ({ world, collector }: Look, directory: string, source: Source): void => {
  const visited = new Set<string>()
  let left = MOST_RULES
  const visit = (presence: Presence | undefined): void => {
    if (presence?.kind !== "directory" || visited.has(presence.realPath)) return
    if (!collector.mayReach(presence, source)) return
    visited.add(presence.realPath)
    for (const { name, kind } of (world.entries(presence) ?? []).toSorted(byCodePoint)) {
      const path = joined(presence.path, name)
      const isRule = name.endsWith(".md")
      if (kind !== "directory" && kind !== "link" && !isRule) continue
      if (left-- <= 0) return
      const found = world.present(path)
      if (found?.kind === "directory") visit(found)
      else if (isRule) collector.add(path, source)
    }
  }
  visit(world.present(directory))
  if (left < 0) collector.skip(directory, `it holds more than ${MOST_RULES} rules; the rest is left out`, true)
}

interface FolderLook {
  readonly directory: string
  readonly reason: LoadReason
  readonly trigger?: string | undefined
  /** A nested folder has its rules last. */
  readonly rulesLast?: boolean
}

/** Names that make AGENTS.md superfluous in a folder. */
const OWN_NAMES: ReadonlyArray<string> = ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"]

const hasOwnFile = ({ place, world }: Look, directory: string): boolean =>
  OWN_NAMES.map((name) => joined(directory, name))
    .filter((path) => !isInside(place.configHome, path))
    .map((path) => world.present(path))
    .some((found) => found?.kind === "file")

const sourceOf = (kind: "project" | "local", { directory, reason, trigger }: FolderLook): Source => ({
  kind,
  reason,
  own: directory,
  trigger
})

const addFolder = (look: Look, folder: FolderLook): void => {
  const { place, collector } = look
  const { directory } = folder
  const isProject = place.sources.has("project") && !isOtherCheckout(place, directory)
  const project = sourceOf("project", folder)
  const dotClaude = joined(directory, ".claude")
  // The user's own directory may lie on the way; what is in it was read as the user's.
  const isOwnDirectory = isInside(place.configHome, dotClaude)
  const rules = (): void => {
    if (isProject && !isOwnDirectory) addRules(look, joined(dotClaude, "rules"), { ...project, base: directory })
  }
  if (isProject) {
    if (place.agentsMd === "always") collector.add(joined(directory, "AGENTS.md"), project)
    for (const name of place.extraNames) collector.add(joined(directory, name), project)
    collector.add(joined(directory, "CLAUDE.md"), project)
    if (!isOwnDirectory) collector.add(joined(dotClaude, "CLAUDE.md"), project)
  }
  if (folder.rulesLast !== true) rules()
  if (place.sources.has("local")) collector.add(joined(directory, "CLAUDE.local.md"), sourceOf("local", folder))
  if (folder.rulesLast === true) rules()
}

/** AGENTS.md where nothing else speaks for the folders. */
const addFallback = (look: Look, folders: ReadonlyArray<FolderLook>): void => {
  const { place, world, collector } = look
  if (place.agentsMd !== "fallback" || !place.sources.has("project")) return
  const candidates = folders.filter(({ directory }) => !isOtherCheckout(place, directory))
  const found = candidates.map((folder) => [joined(folder.directory, "AGENTS.md"), folder] as const)
  for (const [path] of found) world.present(path)
  // What is not known yet may still be a file of the folder's own.
  if (folders.some(({ directory }) => hasOwnFile(look, directory)) || !world.isComplete()) return
  for (const [path, folder] of found) collector.add(path, sourceOf("project", folder))
}

const addUser = (look: Look): void => {
  const { place, collector, world } = look
  if (!place.sources.has("user")) return
  const source: Source = { kind: "user", reason: "session_start", own: place.configHome }
  const [own, agents] = [joined(place.configHome, "CLAUDE.md"), joined(place.configHome, "AGENTS.md")]
  collector.add(own, source)
  const isFallback = place.agentsMd === "fallback" && world.present(own)?.kind !== "file"
  if (isFallback || place.agentsMd === "always") collector.add(agents, source)
  addRules(look, joined(place.configHome, "rules"), { ...source, base: place.cwd })
}

const addManaged = ({ place, collector }: Look): void => {
  const source: Source = { kind: "managed", reason: "session_start", own: place.managedDirectory }
  collector.add(joined(place.managedDirectory, "CLAUDE.md"), source)
  const path = joined(place.managedDirectory, "managed-settings.json")
  if (place.managedText !== undefined) collector.addText(path, place.managedText, source)
}

const atStart = (place: SearchPlace, world: World, reason: LoadReason): Found => {
  const collector = new Collector(place, world)
  const look: Look = { place, world, collector }
  addManaged(look)
  if (place.isOff) return collector.found()
  addUser(look)
  const chain = chainTo(place.cwd).map((directory) => ({ directory, reason }))
  for (const folder of chain) addFolder(look, folder)
  addFallback(look, chain)
  for (const directory of place.searched) {
    addFolder(look, { directory, reason })
    addFallback(look, [{ directory, reason }])
  }
  return collector.found()
}

/** Everything that a conversation begins with. */
export const begin = (place: SearchPlace, reason: LoadReason = "session_start"): Step =>
  search((world) => atStart(place, world, reason))

/** A file that the model has to do with. */
export interface Touched {
  readonly path: string
  readonly realPath: string
}

export interface NestedRequest {
  readonly place: SearchPlace
  readonly touched: Touched
  /** Paths that the conversation has already. */
  readonly known: ReadonlySet<string>
  /** Rules that wait for their files. */
  readonly rules: ReadonlyArray<PathRule>
}

/** Folders on the way to the file, the outermost first, that no conversation begins with. */
const nestedFolders = ({ cwd, searched }: SearchPlace, { path, realPath }: Touched): ReadonlyArray<string> => {
  for (const form of new Set([path, realPath])) {
    const outer = [cwd, ...searched].find((each) => isInside(each, form))
    if (outer !== undefined) return directoriesBetween(outer, form)
  }
  return []
}

const nested = ({ place, touched, known, rules }: NestedRequest, world: World): Found => {
  const collector = new Collector(place, world)
  const look: Look = { place, world, collector }
  const trigger = touched.path
  for (const path of known) collector.know(path)
  const folders = nestedFolders(place, touched).filter((each) => !componentsAsSpelled(each).includes(".git"))
  for (const directory of folders) {
    const folder: FolderLook = { directory, reason: "nested_traversal", trigger, rulesLast: true }
    addFolder(look, folder)
    addFallback(look, [folder])
  }
  const found = collector.found()
  const forms = [touched.path, touched.realPath]
  const [own, others] = [found.rules.filter((rule) => ruleMatches(rule, forms)), found.rules]
  const matching = [...rules.filter((rule) => ruleMatches(rule, forms)), ...own]
  const fromRules = matching.flatMap(({ files }) => files).map((file) => ({ ...file, trigger }))
  const taken = new Set(known)
  const files = [...found.files, ...fromRules].filter(({ path }) => !taken.has(path) && taken.add(path))
  return { ...found, files, rules: others }
}

/** What comes with a touched file, each once. */
export const beginNested = (request: NestedRequest): Step =>
  search((world) => (request.place.isOff ? new Collector(request.place, world).found() : nested(request, world)))
