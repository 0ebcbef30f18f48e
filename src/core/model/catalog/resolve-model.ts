import { Result } from "effect"
import { LIMITS } from "../../domain/limits.ts"
import { isOfflineModel, isSameModel, profileOf, withoutWindowSuffix } from "./model.ts"
import { expandAlias, MODEL_ALIASES, OFFLINE_MODEL, type AliasContext } from "./model-alias.ts"
import { similarity } from "../../domain/text/similarity.ts"

/** Which model answers: the strongest source that names one decides. */
export interface ModelSources extends AliasContext {
  /** Slash command, skill or agent, for one turn. */
  readonly turn?: string
  /** `/model` in this session. */
  readonly session?: string
  /** `--model`. */
  readonly flag?: string
  /** ANTHROPIC_MODEL. */
  readonly env?: string
  readonly setting?: string
  readonly hasCredential: boolean
  /** `availableModels`: aliases of families, beginnings of ids, or ids. Absent allows everything. */
  readonly available?: ReadonlyArray<string>
}

export interface ModelChoice {
  /** Id with its window suffix, if one was asked for. */
  readonly model: string
  readonly requested: string
  readonly source: "turn" | "session" | "flag" | "env" | "setting" | "default"
}

export type ModelProblem =
  | { readonly _tag: "UnknownModel"; readonly name: string; readonly nearest: ReadonlyArray<string> }
  | { readonly _tag: "ModelNotAllowed"; readonly name: string; readonly available: ReadonlyArray<string> }

const ORDER = ["turn", "session", "flag", "env", "setting"] as const

/**
 * Aliases are plain words; anything with a digit or a separator is the id of some model, ours to pass on. A dash in
 * front is a flag that stands where the name should.
 */
const looksLikeId = (name: string): boolean => !name.startsWith("-") && /[\d\-./:@]/.test(name)

const ALIKE = 0.3
const NAMES_SHOWN = 3

const nearestNames = (name: string): ReadonlyArray<string> =>
  [...MODEL_ALIASES, OFFLINE_MODEL]
    .map((candidate) => ({ candidate, score: similarity(name.toLowerCase(), candidate) }))
    .filter(({ score }) => score >= ALIKE)
    .sort((left, right) => right.score - left.score)
    .slice(0, NAMES_SHOWN)
    .map(({ candidate }) => candidate)

/** The id a name stands for: an alias, the offline model, or an id that is taken as it is. */
const idOf = (name: string, context: AliasContext): Result.Result<string, ModelProblem> => {
  const target = expandAlias(name, context)
  if (target !== undefined) return Result.succeed(target)
  if (isOfflineModel(name) || looksLikeId(withoutWindowSuffix(name))) return Result.succeed(name)
  return Result.fail({ _tag: "UnknownModel", name, nearest: nearestNames(name) })
}

const beginsWith = (id: string, entry: string): boolean => id === entry || id.startsWith(`${entry}-`)

/** `opus` allows the family, `opus-4-5` and `claude-opus-4-5` that version, an id itself. The offline model is free. */
export const isModelAllowed = (model: string, available: ReadonlyArray<string> | undefined): boolean => {
  if (available === undefined || isOfflineModel(model)) return true
  const id = withoutWindowSuffix(model)
  const { family } = profileOf(id)
  return available.some((entry) => {
    const bare = withoutWindowSuffix(entry)
    return bare === family || isSameModel(bare, id) || beginsWith(id, bare) || beginsWith(id, `claude-${bare}`)
  })
}

const implicit = (sources: ModelSources): string =>
  sources.hasCredential ? (expandAlias("default", sources) ?? OFFLINE_MODEL) : OFFLINE_MODEL

const named = (sources: ModelSources): (Pick<ModelChoice, "source"> & { readonly name: string }) | undefined => {
  for (const source of ORDER) {
    const name = sources[source]?.trim()
    // `default` asks for what would be used without a name, so it hides the weaker sources.
    if (name === "default") return undefined
    if (name !== undefined && name !== "") return { name, source }
  }
  return undefined
}

export const resolveModel = (sources: ModelSources): Result.Result<ModelChoice, ModelProblem> => {
  const wanted = named(sources)
  if (wanted === undefined) {
    const model = implicit(sources)
    return Result.succeed({ model, requested: "default", source: "default" })
  }
  return Result.flatMap(idOf(wanted.name, sources), (model) =>
    isModelAllowed(model, sources.available)
      ? Result.succeed({ model, requested: wanted.name, source: wanted.source })
      : Result.fail({ _tag: "ModelNotAllowed", name: model, available: sources.available ?? [] })
  )
}

/** The fallbacks that can be used, in order: known, allowed, each once, never the primary. */
export const resolveFallbacks = (
  names: ReadonlyArray<string>,
  primary: string,
  sources: ModelSources
): ReadonlyArray<string> => {
  const chain: Array<string> = []
  for (const name of names) {
    const model = Result.getOrUndefined(idOf(name.trim(), sources))
    const isNew = model !== undefined && ![primary, ...chain].some((other) => isSameModel(other, model))
    if (isNew && isModelAllowed(model, sources.available)) chain.push(model)
  }
  return chain.slice(0, LIMITS.fallbackModels)
}

/** One sentence for the user; what to do next included. */
export const describeModelProblem = (problem: ModelProblem): string => {
  if (problem._tag === "ModelNotAllowed") {
    const allowed = problem.available.join(", ") || "only the default"
    return `The model ${problem.name} is not among the models your settings allow: ${allowed}.`
  }
  const meant = (problem.nearest.length === 0 ? MODEL_ALIASES : problem.nearest).join(", ")
  return `There is no model called ${JSON.stringify(problem.name)}. Did you mean ${meant}? Full model ids work too.`
}
