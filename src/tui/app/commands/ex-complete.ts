import { PANE_IDS } from "../../screen/layout/tree.ts"
import { THEME_NAMES } from "../../screen/style/palette.ts"
import { PERMISSION_MODES } from "../../../core/permission/verdict.ts"
import { withCommands, withoutCommands, type Update } from "../../model/update-result.ts"
import { EX_NAMES } from "./ex.ts"
import { layoutNames } from "../../model/windows/saved-layouts.ts"
import type { AppModel, LineInput } from "../../model/app-model.ts"
import { nameOf } from "../../model/session-model.ts"
import { OPTION_WORDS } from "../../model/set-option.ts"
import { SLASH_COMMANDS } from "../../prompt/slash-commands.ts"

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
      return layoutNames(model)
    case "delc":
    case "delcommand":
      return [...model.userCommands.keys()]
    case "delm":
    case "delmarks":
      return [...(model.sessions.get(model.current)?.list.marks.keys() ?? [])]
    default:
      return []
  }
}

const candidatesFor = (model: AppModel, typed: string): { readonly head: string; readonly words: ReadonlyArray<string> } => {
  const [, command = "", more = "", rest = typed] = /^(\S+\s+)((?:\S+\s+)*)(.*)$/.exec(typed) ?? []
  const head = command + more
  const all =
    head === ""
      ? [...EX_NAMES, ...PANE_IDS, ...model.userCommands.keys(), ...SLASH_COMMANDS.map(({ name }) => name)]
      : argumentsOf(model, command.trim())
  return { head, words: [...new Set(all)].filter((word) => word.startsWith(rest)) }
}

/** Commands whose argument is a file; who knows the files is asked. */
const FILE_COMMAND = /^((?:e|edit|r|read|w|write)!?\s+)(.*)$/

/** What Tab goes through, and which of it stands on the line. */
export interface Offer {
  readonly words: ReadonlyArray<string>
  readonly at: number
}

/** The words that fit what was typed before Tab was pressed; undefined when it was not. */
const wordOffer = (model: AppModel, { draft, text }: LineInput): Offer | undefined => {
  if (draft === "") return undefined
  const { head, words } = candidatesFor(model, draft)
  const at = words.findIndex((word) => text === head + word)
  return at < 0 ? undefined : { words, at }
}

const pathOffer = ({ text, paths = [] }: LineInput): Offer | undefined => {
  const at = paths.indexOf(FILE_COMMAND.exec(text)?.[2] ?? "")
  return at < 0 ? undefined : { words: paths, at }
}

/** What is worth showing: more than one word to choose from. */
export const offerOf = (model: AppModel, line: LineInput): Offer | undefined => {
  const offer = line.kind === ":" ? (pathOffer(line) ?? wordOffer(model, line)) : undefined
  return offer === undefined || offer.words.length < 2 ? undefined : offer
}

/** The draft keeps what was typed, so that Tab goes on from it. */
const completedWord = (model: AppModel, line: LineInput, by: 1 | -1): LineInput => {
  const offer = wordOffer(model, line)
  const typed = offer === undefined ? line.text : line.draft
  const { head, words } = candidatesFor(model, typed)
  const first = by === 1 ? 0 : words.length - 1
  const word = words[offer === undefined ? first : (offer.at + by + words.length) % words.length]
  return word === undefined ? line : { ...line, draft: typed, text: head + word, caret: head.length + word.length }
}

/** No question of a prompt has this number. */
const LINE_REQUEST = -1

export const isLineRequest = (request: number): boolean => request === LINE_REQUEST

const withPath = (line: LineInput, head: string, path: string | undefined): LineInput =>
  path === undefined ? line : { ...line, text: head + path, caret: head.length + path.length }

/** The paths that were asked for; an answer to a line that is gone means nothing. */
export const pathsFound = (model: AppModel, paths: ReadonlyArray<string>): AppModel => {
  const { line } = model
  const [, head] = line?.kind === ":" ? (FILE_COMMAND.exec(line.text) ?? []) : []
  return line === undefined || head === undefined ? model : { ...model, line: withPath({ ...line, paths }, head, paths[0]) }
}

export const completeLine = (model: AppModel, line: LineInput, by: 1 | -1): Update => {
  if (line.kind !== ":") return withoutCommands(model)
  const [, head, typed = ""] = FILE_COMMAND.exec(line.text) ?? []
  if (head === undefined) return withoutCommands({ ...model, line: completedWord(model, line, by) })
  const offer = pathOffer(line)
  return offer === undefined
    ? withCommands(model, {
        _tag: "FindFiles",
        session: model.current,
        query: typed,
        request: LINE_REQUEST,
        isMention: false
      })
    : withoutCommands({
        ...model,
        line: withPath(line, head, offer.words[(offer.at + by + offer.words.length) % offer.words.length])
      })
}
