import { Result, Schema } from "effect"
import { visible } from "../../domain/text/visible-text.ts"
import type { Decision } from "../verdict.ts"

/** What came of asking the classifier about one call. */
export type CheckOutcome =
  | { readonly _tag: "Judged"; readonly block: boolean; readonly reason: string; readonly category: string }
  /** Out of reach, too slow, or its answer could not be read: as good as no classifier at all. */
  | { readonly _tag: "NoVerdict"; readonly why: NoVerdict; readonly detail: string }

export type NoVerdict = "unavailable" | "timeout" | "unparsable" | "refused"

const Verdict = Schema.Struct({
  block: Schema.Boolean,
  reason: Schema.optionalKey(Schema.String),
  category: Schema.optionalKey(Schema.String)
})

const decodeVerdict = Schema.decodeUnknownResult(Verdict)

/** The one object behind the reasoning, if there is any. */
const objectIn = (text: string): string => {
  const said = text.slice(Math.max(0, text.lastIndexOf("</reasoning>")))
  return said.slice(said.indexOf("{"), said.lastIndexOf("}") + 1)
}

const unparsable = (text: string): CheckOutcome => ({
  _tag: "NoVerdict",
  why: "unparsable",
  detail: text.trim() === "" ? "the answer is empty" : `the answer is not a verdict: ${visible(text.trim())}`
})

/** What a classifier's text says. Anything but a whole verdict is none. */
export const readVerdict = (text: string): CheckOutcome => {
  const value = Result.try({ try: (): unknown => JSON.parse(objectIn(text)), catch: () => "no JSON" })
  const read = Result.isSuccess(value) ? decodeVerdict(value.success) : undefined
  if (read === undefined || Result.isFailure(read)) return unparsable(text)
  const { block, reason = "", category = "" } = read.success
  return { _tag: "Judged", block, reason: reason.trim(), category: category.trim() }
}

const WHY: Readonly<Record<NoVerdict, string>> = {
  unavailable: "the classifier could not be reached",
  timeout: "the classifier did not answer in time",
  unparsable: "the classifier's answer could not be read",
  refused: "the classifier refused to answer"
}

const blockedSentence = (reason: string, category: string): string => {
  const kind = category === "" ? "" : ` (${visible(category)})`
  return `The auto mode classifier blocked it${kind}: ${reason === "" ? "no reason given" : visible(reason.replace(/\.$/, ""))}`
}

const traced = (decision: Decision, detail: string): Decision => ({
  ...decision,
  trace: [...(decision.trace ?? []), { step: "classifier", result: "hit", detail }]
})

/** A decision that the classifier could have answered, with what it said. Without a verdict a user is asked. */
export const applyOutcome = (decision: Decision, outcome: CheckOutcome): Decision => {
  if (outcome._tag === "NoVerdict") {
    const detail = outcome.detail === "" ? "" : ` (${visible(outcome.detail)})`
    const sentence = `${decision.reason.sentence}; ${WHY[outcome.why]}${detail}`
    return traced({ ...decision, verdict: "ask", reason: { ...decision.reason, sentence } }, WHY[outcome.why])
  }
  const { block, reason, category } = outcome
  const sentence = block ? blockedSentence(reason, category) : "The auto mode classifier sees no harm in it"
  return traced({ ...decision, verdict: block ? "deny" : "allow", reason: { type: "classifier", sentence } }, sentence)
}

/** The question that a user gets in place of the classifier. */
export const askInstead = (decision: Decision, because: string): Decision => ({
  ...decision,
  verdict: "ask",
  reason: { ...decision.reason, sentence: `${decision.reason.sentence}; ${because}, so you decide` }
})
