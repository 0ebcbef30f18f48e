import type { PermissionQuestion } from "../../../core/loop/machine/command.ts"
import { ALLOWED, HOST_WHY, hostChoices, hostName, REFUSED, wantedBy } from "../../model/dialogs/host-state.ts"
import { chosenIndex, type Dialog, numberLabels } from "./dialog.ts"
import { indentLines } from "../../text/indented.ts"
import { visible } from "../visible.ts"

const WORDS: ReadonlyMap<string, number> = new Map([
  ["y", ALLOWED],
  ["yes", ALLOWED],
  ["n", REFUSED],
  ["no", REFUSED]
])

/** The question whether a sandboxed command may reach a host; undefined for every other question. */
export const hostDialog = ({ host }: PermissionQuestion): Dialog | undefined => {
  if (host === undefined) return undefined
  const choices = hostChoices(host)
  return {
    lines: [
      `Network Request: ${visible(hostName(host))}`,
      ...indentLines([`wanted by: ${visible(wantedBy(host))}`]),
      `Why: ${HOST_WHY}`,
      ...numberLabels(choices.map(({ label }) => visible(label)))
    ],
    hint: `Enter selection (1-${choices.length})`,
    read: (line) => {
      const word = line.trim().toLowerCase()
      const index = WORDS.get(word) ?? chosenIndex(word, choices.length)
      const chosen = typeof index === "number" ? choices[index] : undefined
      return chosen === undefined
        ? { _tag: "Again", why: word === "" ? "Nothing was chosen." : `There is no choice ${visible(word)}.` }
        : { _tag: "Answered", answer: chosen.answer }
    }
  }
}
