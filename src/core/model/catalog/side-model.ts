type Environment = Readonly<Record<string, string | undefined>>

/** Who answers small questions beside the conversation: the small model of the environment, else the conversation's own. */
export const sideModel = (env: Environment, conversationModel: string): string =>
  [env["ANTHROPIC_SMALL_FAST_MODEL"], env["ANTHROPIC_DEFAULT_HAIKU_MODEL"]].find(
    (name) => name !== undefined && name !== ""
  ) ?? conversationModel
