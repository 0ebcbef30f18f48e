import { isOfflineModel } from "../../../core/model/catalog/model.ts"
import { currentModel } from "../../../core/loop/turn/send-request.ts"
import { hintFor } from "../../keymap/help.ts"
import type { AppModel } from "../../model/app-model.ts"
import type { SessionModel } from "../../model/session-model.ts"

/** What an empty conversation says: where one is, and the few keys that lead to all others, as they are bound. */

const WORTH_KNOWING = [
  ["app:help", "keys"],
  ["app:palette", "palette"],
  ["app:toggleTranscript", "transcript"],
  ["window:next", "next pane"]
] as const

export const welcomeLines = (model: AppModel, session: SessionModel): ReadonlyArray<string> => {
  const isInline = model.options.interface === "inline"
  const hints = WORTH_KNOWING.flatMap(([action, words]) => {
    // There is one pane.
    if (isInline && action === "window:next") return []
    const keys = hintFor(model.keys.keymap, action, ["Chat", "Scroll", "Global"])
    return keys === undefined ? [] : [`${keys} ${words}`]
  })
  return [
    "nacre",
    "",
    "Type a message and press Enter.",
    hints.join(" · "),
    ...(isOfflineModel(currentModel(session.state))
      ? [
          "",
          "The offline model answers (scripted, not an LLM). For a real one run nacre login, or set ANTHROPIC_API_KEY.",
          "Try: tour"
        ]
      : [])
  ]
}
