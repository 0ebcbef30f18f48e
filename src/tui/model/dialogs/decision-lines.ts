import type { Decision, SubcommandVerdict } from "../../../core/permission/verdict.ts"

/** Why a call asks, in words: the panel and the line mode say the same. */
export type DecisionLine =
  | { readonly kind: "loss" | "why"; readonly text: string }
  | ({ readonly kind: "part" } & SubcommandVerdict)

/** One part alone is told by the reason; with several the reason does not repeat their names. */
const whyOf = ({ reason }: Decision, parts: ReadonlyArray<SubcommandVerdict>): string => {
  if (reason.type !== "subcommands" || parts.length === 0) return reason.sentence
  return `${parts.filter(({ verdict }) => verdict !== "allow").length} of ${parts.length} parts need approval`
}

/** What would be lost comes first, where no small screen cuts it off; then which parts of a command ask. */
export const decisionLines = (decision: Decision): ReadonlyArray<DecisionLine> => {
  const { loss, subcommands = [] } = decision
  const parts = subcommands.length < 2 ? [] : subcommands
  return [
    ...(loss === undefined ? [] : [{ kind: "loss" as const, text: `Careful: ${loss}` }]),
    { kind: "why", text: whyOf(decision, parts) },
    ...parts.map((part) => ({ kind: "part" as const, ...part }))
  ]
}
