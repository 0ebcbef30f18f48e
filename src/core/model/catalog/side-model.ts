import { profileOf } from "./model.ts"
import { expandAlias } from "./model-alias.ts"
import { isModelAllowed } from "./resolve-model.ts"

type Environment = Readonly<Record<string, string | undefined>>

const SMALL_FAMILY = "haiku"

/** The small model of this version's table. A conversation with something else than these models keeps to its own. */
const usualSmallModel = (conversationModel: string, available: ReadonlyArray<string> | undefined): string | undefined => {
  const { family } = profileOf(conversationModel)
  if (family === undefined || family === SMALL_FAMILY) return undefined
  const small = expandAlias(SMALL_FAMILY)
  return small !== undefined && isModelAllowed(small, available) ? small : undefined
}

/** Who answers small questions beside the conversation: the small model that the environment names, else the usual one. */
export const sideModel = (env: Environment, conversationModel: string, available?: ReadonlyArray<string>): string =>
  [env["ANTHROPIC_SMALL_FAST_MODEL"], env["ANTHROPIC_DEFAULT_HAIKU_MODEL"]].find(
    (name) => name !== undefined && name !== ""
  ) ??
  usualSmallModel(conversationModel, available) ??
  conversationModel
