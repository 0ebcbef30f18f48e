import { fenceText } from "../../model/request/fence.ts"
import { type ContextSource, withEachPrompt } from "./source.ts"

const part = (when: string, lines: string): ReadonlyArray<string> =>
  lines.trim() === "" ? [] : [`${when}, after an empty line:\n${fenceText(lines)}`]

/** The lines that say in commits and pull requests who had a hand in them. */
export const attribution: ContextSource<"attribution"> = {
  wants: withEachPrompt,
  isStanding: true,
  say: ([item]) => {
    if (item === undefined) return undefined
    const { commit, pr } = item.value
    const parts = [
      ...part("When you commit, this ends the message", commit),
      ...part("When you open a pull request, this ends its description", pr)
    ]
    return { type: "attribution", fields: { commit, pr }, words: ["# Attribution", ...parts].join("\n") }
  },
  takeBack: () => ({
    type: "attribution_removed",
    words: "Commits and pull requests get no attribution any longer: leave those lines out."
  })
}
