import type { Scope } from "./keys/key-rule.ts"
import { isFileVariable, isVariableName } from "./trust/settable-variables.ts"
import { keyAt } from "./keys/known-keys.ts"
import type { Origin, SettingsProblem } from "./origin.ts"
import type { SettingsSource } from "../domain/settings-source.ts"
import { type Gate, TIGHTENING } from "./trust/gate.ts"
import { gateTree } from "./gate-tree.ts"
import type { Layer } from "./read-layer.ts"
import { leavesOf, type ObjectTree, plainTree, prune, type Tree } from "./tree.ts"

/**
 * Which values of a file count. A value may be out of the file's reach (scope), never allowed from a project,
 * held back until the folder is trusted, or loosening in a managed file that anybody could have written.
 */
export interface LayerStanding {
  /** What of a project's files may take effect. */
  readonly gate: Gate
  /** Owned by the administrator and writable by nobody else. */
  readonly secure: boolean
}

export interface IgnoredValue {
  readonly path: ReadonlyArray<string>
  readonly tree: Tree
  readonly why: string
}

export interface LimitedLayer extends Layer {
  readonly ignored: ReadonlyArray<IgnoredValue>
}

const REACH: Record<Scope, ReadonlyArray<SettingsSource>> = {
  A: ["userSettings", "projectSettings", "localSettings", "flagSettings", "policySettings"],
  L: ["userSettings", "localSettings", "flagSettings", "policySettings"],
  U: ["userSettings", "flagSettings", "policySettings"],
  M: ["policySettings"],
  G: []
}

const RIGHT_PLACE: Record<Scope, string> = {
  A: "any settings file",
  L: "your own settings.json or settings.local.json",
  U: "your own settings.json",
  M: "managed settings",
  G: "the global configuration"
}

export const mayHold = (scope: Scope, source: SettingsSource): boolean => REACH[scope].includes(source)

const isFromProject = (source: SettingsSource): boolean => source === "projectSettings" || source === "localSettings"

export const UNTRUSTED = "the workspace is not trusted"

const NOT_ACCEPTED = "it is new in this workspace and was not accepted yet (run nacre trust add)"

type Complaint = Pick<SettingsProblem, "message" | "suggestion">

const scopeComplaint = (path: ReadonlyArray<string>, source: SettingsSource, leaf: Tree): Complaint | undefined => {
  const key = keyAt(path)
  if (key === undefined) return undefined
  const { name, rule } = key
  if (!mayHold(rule.scope, source)) {
    const place = RIGHT_PLACE[rule.scope]
    const message = `${name} is not read from this file; it belongs into ${place}`
    return { message, suggestion: `move it to ${place}` }
  }
  if (!isFromProject(source)) {
    const variable = name === "env" ? path[1] : undefined
    if (variable === undefined || isFileVariable(variable, source)) return undefined
    return isVariableName(variable)
      ? { message: `the variable ${variable} is not read from settings`, suggestion: "set it in the shell" }
      : {
          message: `${JSON.stringify(variable)} is not the name of a variable`,
          suggestion: "use letters, digits and _ only"
        }
  }
  if (name === "env" && path[1] !== undefined && !isFileVariable(path[1], source)) {
    return {
      message: `the variable ${path[1]} is never taken from a project's files`,
      suggestion: "set it in your own settings.json or in the shell"
    }
  }
  const value = plainTree(leaf)
  if (rule.fromProject === undefined || rule.fromProject.some((allowed) => allowed === value)) return undefined
  const message = `${JSON.stringify(value)} is not accepted from a project's files`
  return { message, suggestion: `set it in ${RIGHT_PLACE.U}` }
}

const isHeldBack = (source: SettingsSource, { gate }: LayerStanding): boolean =>
  isFromProject(source) && gate.standing._tag === "Restricted"

/** What is wrong with values that do not count anyway is not worth a word; a file that cannot be read at all is. */
const isWorthTelling = ({ path }: SettingsProblem): boolean =>
  path === "" || TIGHTENING.some((name) => path === name || path.startsWith(`${name}.`) || name.startsWith(`${path}.`))

/** How a leaf stands: undefined when it counts. Only some of the reasons are worth a warning. */
const verdictOn = (
  path: ReadonlyArray<string>,
  leaf: Tree,
  source: SettingsSource,
  standing: LayerStanding
): { readonly why: string; readonly complaint?: Complaint } | undefined => {
  const key = keyAt(path)
  if (isHeldBack(source, standing) && !TIGHTENING.includes(key?.name ?? "")) return { why: UNTRUSTED }
  const complaint = scopeComplaint(path, source, leaf)
  if (complaint !== undefined) return { why: complaint.message, complaint }
  return source === "policySettings" && !standing.secure && key?.rule.tightens !== true
    ? { why: "the managed file can be written by others, so only rules that tighten are taken from it" }
    : undefined
}

const originOf = (tree: Tree): Origin => tree.origin

export const limitLayer = (layer: Layer, standing: LayerStanding): LimitedLayer => {
  const ignored: Array<IgnoredValue> = []
  const problems = isHeldBack(layer.source, standing) ? layer.problems.filter(isWorthTelling) : [...layer.problems]
  for (const { path, tree } of leavesOf(layer.tree)) {
    const verdict = verdictOn(path, tree, layer.source, standing)
    if (verdict === undefined) continue
    ignored.push({ path, tree, why: verdict.why })
    if (verdict.complaint === undefined) continue
    problems.push({ level: "warning", ...originOf(tree), path: path.join("."), ...verdict.complaint })
  }
  if (ignored.length === 0) return passed({ ...layer, ignored, problems }, standing.gate)
  const isIgnored = new Set(ignored.map(({ tree }) => tree))
  const tree: ObjectTree = prune(layer.tree, (_, leaf) => !isIgnored.has(leaf))
  return passed({ ...layer, tree, ignored, problems }, standing.gate)
}

/** Without the entries of a trusted project that nobody has accepted. */
const passed = (layer: LimitedLayer, gate: Gate): LimitedLayer => {
  if (!isFromProject(layer.source) || gate.standing._tag === "Restricted") return layer
  const { tree, held } = gateTree(gate, layer.file, layer.tree)
  const ignored = held.map((each) => ({ ...each, why: NOT_ACCEPTED }))
  return held.length === 0 ? layer : { ...layer, tree, ignored: [...layer.ignored, ...ignored] }
}
