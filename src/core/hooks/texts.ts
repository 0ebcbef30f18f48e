import { type HookEvent, specOf } from "./hook-event.ts"

/** The words in which the model and the user hear of hooks. */

export const hookName = (event: HookEvent, subject: string | undefined): string =>
  subject === undefined ? event : `${event}:${subject}`

/** At the end of a turn the words go back to the model as they are. */
const speaksItself = (event: HookEvent): boolean => specOf(event).blocking === "continue" || event === "PreCompact"

export const contextText = (event: HookEvent, subject: string | undefined, text: string): string =>
  speaksItself(event) ? text : `${hookName(event, subject)} hook additional context: ${text}`

/** Plain words on stdout. */
export const saidText = (event: HookEvent, subject: string | undefined, text: string): string =>
  speaksItself(event) ? text : `${hookName(event, subject)} hook success: ${text}`

interface Remark {
  readonly label: string
  readonly text: string
}

/** Why a hook says no, with the hook's name where the model is to tell it from the result. */
export const remarkText = (event: HookEvent, subject: string | undefined, { label, text }: Remark): string =>
  specOf(event).blocking === "feedback"
    ? `${hookName(event, subject)} hook blocking error from command: ${JSON.stringify(label)}: ${text}`
    : text

/** The result of a call that a hook refused. */
export const refusedCallText = (tool: string, reason: string): string => `PreToolUse:${tool} hook error: ${reason}`

export const stoppedText = (reason: string): string => `Operation stopped by hook: ${reason}`

export const refusedPromptText = (reason: string, prompt: string | undefined): string =>
  prompt === undefined
    ? `Prompt blocked by hook: ${reason}`
    : `Prompt blocked by hook: ${reason}\n\nOriginal prompt: ${prompt}`
