import { PANE_IDS } from "../layout/tree.ts"
import { THEME_NAMES } from "../theme/palette.ts"
import { PERMISSION_MODES } from "../../core/permission/verdict.ts"
import { EX_NAMES } from "./ex.ts"
import type { AppModel, LineInput } from "./model.ts"
import { nameOf } from "./session-model.ts"
import { OPTION_WORDS } from "./set-option.ts"
import { SLASH_COMMANDS } from "./slash.ts"

/** Tab on the command line: commands, then what their argument may be. Tab again takes the next. */

const argumentsOf = (model: AppModel, command: string): ReadonlyArray<string> => {
  switch (command) {
    case "se":
    case "set":
      return OPTION_WORDS
    case "sp":
    case "split":
    case "vs":
    case "vsplit":
    case "pane":
      return PANE_IDS
    case "session":
      return [...model.sessions.values()].map(nameOf)
    case "theme":
      return ["auto", ...THEME_NAMES]
    case "mode":
      return PERMISSION_MODES
    case "layout":
      return ["default", "focus"]
    case "delm":
    case "delmarks":
      return [...(model.sessions.get(model.current)?.list.marks.keys() ?? [])]
    default:
      return []
  }
}

const candidatesFor = (
  model: AppModel,
  typed: string
): { readonly head: string; readonly words: ReadonlyArray<string> } => {
  const [, head = "", rest = typed] = /^(\S+\s+)(.*)$/.exec(typed) ?? []
  const all = head === "" ? [...EX_NAMES, ...SLASH_COMMANDS.map(({ name }) => name)] : argumentsOf(model, head.trim())
  return { head, words: [...new Set(all)].filter((word) => word.startsWith(rest)) }
}

/** The draft keeps what was typed, so that Tab goes on from it. */
export const completed = (model: AppModel, line: LineInput): LineInput => {
  if (line.kind !== ":") return line
  const isAgain =
    line.draft !== "" &&
    candidatesFor(model, line.draft).words.some((word) => line.text === candidatesFor(model, line.draft).head + word)
  const typed = isAgain ? line.draft : line.text
  const { head, words } = candidatesFor(model, typed)
  const at = isAgain ? (words.indexOf(line.text.slice(head.length)) + 1) % words.length : 0
  const word = words[at]
  return word === undefined ? line : { ...line, draft: typed, text: head + word, caret: head.length + word.length }
}
