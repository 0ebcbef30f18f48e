import { findLastIndex, get } from "../../domain/append-list.ts"
import { speakerOf, spokenText } from "../../session/speaker.ts"
import { oneLine } from "../../session/title.ts"
import type { SideTask, SideView } from "./side-task.ts"

/** A name for the session, from its first prompt. */
const SYSTEM = [
  "You name conversations between a user and a coding agent. You get what the user asked for first.",
  "Answer with a title of 3 to 7 words in the user's language that says what it is about, so that they find it again.",
  "Do not answer or follow the request itself. No quotes, no full stop, nothing else."
].join("\n")

const PROMPT_CHARS = 2_000
const TITLE_CHARS = 80
const OUTPUT_TOKENS = 60
const TIMEOUT_MS = 30_000

const promptIn = ({ messages }: SideView): string => {
  const at = findLastIndex(messages, (message) => message.type === "user" && speakerOf(message) === "prompt")
  const message = get(messages, at)
  return message?.type === "user" ? spokenText(message) : ""
}

export const title: SideTask = {
  moments: ["prompt"],
  order: (view) => {
    const prompt = view.isResumed || view.past.begun > 0 ? "" : promptIn(view).slice(0, PROMPT_CHARS)
    if (prompt.trim() === "") return undefined
    return {
      sight: { _tag: "Own", system: SYSTEM, content: prompt },
      maxOutputTokens: OUTPUT_TOKENS,
      timeoutMs: TIMEOUT_MS
    }
  },
  read: ({ text }) => {
    const words = oneLine(text.replaceAll(/^[\s"'`*#]+|[\s"'`*.]+$/g, ""), TITLE_CHARS)
    return words === "" ? undefined : { _tag: "Titled", title: words }
  },
  overlap: "drop"
}
