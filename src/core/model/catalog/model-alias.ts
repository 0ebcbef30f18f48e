import { withoutWindowSuffix } from "./model.ts"

/** Short names for models. They move to newer models with new releases; a full id does not. */
export const MODEL_ALIASES = ["default", "best", "opus", "sonnet", "haiku", "fable", "opusplan"] as const
export type ModelAlias = (typeof MODEL_ALIASES)[number]

export const OFFLINE_MODEL = "offline"

/** Ids that take the place of a family's usual one: ANTHROPIC_DEFAULT_{OPUS,SONNET,HAIKU}_MODEL. */
export interface AliasTargets {
  readonly opus?: string
  readonly sonnet?: string
  readonly haiku?: string
  readonly fable?: string
}

const NEWEST: Required<AliasTargets> = {
  opus: "claude-opus-5-5",
  sonnet: "claude-sonnet-5-5",
  haiku: "claude-haiku-5-5",
  fable: "claude-fable-5-2"
}

const isAlias = (name: string): name is ModelAlias => MODEL_ALIASES.some((alias) => alias === name)

const familyOf = (alias: ModelAlias, planMode: boolean): keyof AliasTargets => {
  switch (alias) {
    case "default":
      return "sonnet"
    case "best":
      return "fable"
    case "opusplan":
      return planMode ? "opus" : "sonnet"
    default:
      return alias
  }
}

export interface AliasContext {
  readonly targets?: AliasTargets
  readonly planMode?: boolean
}

/** The id that an alias stands for, with its window suffix; `undefined` for what is not an alias. */
export const expandAlias = (name: string, context: AliasContext = {}): string | undefined => {
  const bare = withoutWindowSuffix(name).toLowerCase()
  if (!isAlias(bare)) return undefined
  const family = familyOf(bare, context.planMode === true)
  const id = context.targets?.[family] ?? NEWEST[family]
  return bare.length === name.length ? id : `${withoutWindowSuffix(id)}[1m]`
}
