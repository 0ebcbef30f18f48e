/** Program-made texts that other tools recognise or that identify a message as not the user's own. */
export const TEXTS = {
  interrupted: "[Request interrupted by user]",
  interruptedInTool: "[Request interrupted by user for tool use]",
  noContent: "(no content)",
  missingResult: "[Tool result missing due to internal error]",
  clearedResult: "[Old tool result content cleared]",
  continueTurn: "Continue from where you left off.",
  noResponse: "No response requested.",
  sessionEndedResult:
    "[Tool call interrupted: the session ended before this call's result was recorded. It may or may not have run; check before repeating it.]"
} as const

export const isInterruptionText = (value: string): boolean =>
  value === TEXTS.interrupted || value === TEXTS.interruptedInTool

/** How texts begin that the program sends in the user's place, followed by what differs from case to case. */
export const PROGRAM_OPENINGS = {
  outputCut: "Your last message was cut off by the output limit.",
  structuredNudge: "You have not called StructuredOutput.",
  silence: "Your last response held nothing that the user can see.",
  refusal: "Your last response was stopped before it was complete (stop reason refusal).",
  stopHook: "Stop hook feedback:",
  target: "The user wants more tokens spent on this task.",
  compacted: "The conversation so far was too long for the context window."
} as const

const PROGRAM_TEXTS: ReadonlySet<string> = new Set(Object.values(TEXTS))

/** Whether a user message's text was written by the program: such messages are not prompts of the user. */
export const isProgramText = (value: string): boolean => PROGRAM_TEXTS.has(value)

/** Whether a text begins like one that the program writes in the user's place. */
export const isProgramOpening = (value: string): boolean =>
  Object.values(PROGRAM_OPENINGS).some((opening) => value.startsWith(opening))
