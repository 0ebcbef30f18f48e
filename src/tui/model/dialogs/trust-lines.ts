import type { TrustAnswer, TrustQuestion } from "../../../core/settings/trust/decide.ts"
import { groupWants, type CapabilityRequest } from "../../../core/settings/trust/requested-capabilities.ts"
import { visibleText } from "../../text/sanitize.ts"
import { indentLines } from "../../text/indented.ts"

/** The words of the trust question. Everything that comes from the folder is made visible here. */

const MOST_WANTS = 400
const MOST_CHARS = 4_000

const REFUSED = "  (never taken from a folder, trusted or not)"

const shown = (text: string): string => visibleText(text, "command")

/** The whole entry; one that is too long to read says how much is left and where. */
const wantLines = ({ text, file, isRefused }: CapabilityRequest): ReadonlyArray<string> => {
  const surplus = text.length - MOST_CHARS
  const whole = surplus > 0 ? text.slice(0, MOST_CHARS) : text
  const rest = surplus > 0 ? [`(${surplus} more characters in ${shown(file)}: read them before you trust)`] : []
  const note = isRefused ? [REFUSED] : []
  const lines = shown(whole)
    .split("\n")
    .map((line, index) => (index === 0 ? `- ${line}` : `  | ${line}`))
  return [...lines, ...rest, ...note]
}

export const wantsLines = (wants: ReadonlyArray<CapabilityRequest>): ReadonlyArray<string> => {
  const groups = groupWants(wants.slice(0, MOST_WANTS)).flatMap(({ heading, wants: members }) =>
    [...new Set(members.map(({ file }) => file))].flatMap((file) => [
      `${heading} (${shown(file)}):`,
      ...indentLines(members.filter((want) => want.file === file).flatMap(wantLines))
    ])
  )
  const surplus = wants.length - MOST_WANTS
  return surplus > 0 ? [...groups, `(${surplus} more: read the files before you trust)`] : groups
}

const part = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : [title, ...lines]

const KINDS = {
  repository: "repository",
  worktree: "repository of this worktree",
  folder: "folder",
  home: "folder, for this session only"
} as const

const REASONS: Readonly<Record<TrustQuestion["reason"], string>> = {
  new: "Its configuration could run or loosen the following. Nothing of it holds before you trust the folder.",
  moved: "Another folder stands where a trusted one was. Its configuration could run or loosen the following.",
  changed: "The folder is trusted, but its configuration has entries that you have not seen. They do not hold yet."
}

export const trustTitle = ({ reason }: TrustQuestion): string =>
  reason === "changed" ? "The configuration of this folder has changed" : "Do you trust this folder?"

/** What the question is about: the folder, and every entry verbatim. */
export const trustLines = ({ place, reason, wants, diff }: TrustQuestion): ReadonlyArray<string> => [
  `${shown(place.key)} (${KINDS[place.kind]})`,
  REASONS[reason],
  ...(reason === "changed"
    ? [
        ...part("New:", indentLines(wantsLines(diff.added))),
        ...part("Changed:", indentLines(wantsLines(diff.changed))),
        ...part("No longer there:", indentLines(diff.removed.slice(0, MOST_WANTS).map((id) => `- ${shown(id)}`)))
      ]
    : wantsLines(wants))
]

export interface TrustChoice {
  readonly answer: TrustAnswer
  readonly label: string
}

/** The last one is what happens when nobody chooses. */
export const trustChoices = ({ reason, place, isLate }: TrustQuestion): ReadonlyArray<TrustChoice> => {
  const isChange = reason === "changed"
  const lasting = place.kind === "home" ? "Trust for this session" : "Trust"
  return [
    { answer: "trust", label: isChange ? "Accept these entries" : lasting },
    {
      answer: "restricted",
      label: isChange ? "Go on without them" : "Open restricted: no project configuration, everything asks"
    },
    ...(isLate === true ? [] : [{ answer: "exit" as const, label: "Exit" }])
  ]
}
