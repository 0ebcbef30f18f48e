/** What all hooks of one event said, as one. */
export interface HookOutcome {
  readonly decision?: "allow" | "ask" | "deny"
  readonly reason?: string
  readonly updatedInput?: unknown
  /** What the model sees instead of a result. */
  readonly updatedOutput?: string
  /** What the model is told beside it, with the name of the hook that says it. */
  readonly context?: string
  /** A no: for a prompt, that it is refused; for the end of a turn, that the model goes on; after a call, a remark. */
  readonly block?: string
  /** continue:false with its reason. */
  readonly stop?: string
  /** What a hook answers to a permission question, as it came. */
  readonly permission?: unknown
  /** A denied call may be tried again. */
  readonly retry?: boolean
  readonly sessionTitle?: string
  /** A prompt that goes before the first one. */
  readonly initialUserMessage?: string
  /** A refused prompt is not shown again. */
  readonly hidesPrompt?: boolean
  readonly displayContent?: string
}
