import type { HookEvent } from "./hook-event.ts"
import type { HookOutcome } from "./outcome.ts"
import type { Answer, HookDecision } from "./read-answer.ts"
import { contextText, saidText, remarkText } from "./texts.ts"

/** What several hooks said about one thing, as one: the strictest verdict, and of single values the first in order. */

const RANK: Readonly<Record<HookDecision, number>> = { allow: 0, ask: 1, deny: 2 }

type Judging = Answer & { readonly verdict: NonNullable<Answer["verdict"]> }

/** Whatever the order in which they ended, one of two answers is the stricter one. */
export const stricter = (left: Judging, right: Judging): Judging => {
  const difference = RANK[left.verdict.decision] - RANK[right.verdict.decision]
  if (difference !== 0) return difference > 0 ? left : right
  return left.by <= right.by ? left : right
}

const isJudging = (answer: Answer): answer is Judging => answer.verdict !== undefined

const inOrder = (answers: ReadonlyArray<Answer>): ReadonlyArray<Answer> =>
  [...answers].sort((left, right) => left.by - right.by)

const firstOf = <A>(answers: ReadonlyArray<Answer>, pick: (answer: Answer) => A | undefined): A | undefined => {
  for (const answer of answers) {
    const value = pick(answer)
    if (value !== undefined) return value
  }
  return undefined
}

const joined = (texts: ReadonlyArray<string>): string | undefined => (texts.length === 0 ? undefined : texts.join("\n"))

const texts = (answers: ReadonlyArray<Answer>, pick: (answer: Answer) => string | undefined): string | undefined =>
  joined(answers.flatMap((answer) => pick(answer) ?? []))

const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const outputText = (value: unknown): string | undefined => {
  if (value === undefined) return undefined
  return typeof value === "string" ? value : JSON.stringify(value)
}

/** A refusal of a permission question wins over every permission. */
const permissionIn = (answers: ReadonlyArray<Answer>): unknown => {
  const decisions = answers.flatMap(({ effects: { decision } }) => (decision === undefined ? [] : [decision]))
  const denies = (decision: unknown): boolean =>
    typeof decision === "object" && decision !== null && "behavior" in decision && decision.behavior === "deny"
  return decisions.find(denies) ?? decisions[0]
}

/** The input that counts is that of the answer whose verdict counts, or of the first one that changes it. */
const inputIn = (answers: ReadonlyArray<Answer>): unknown => firstOf(answers, ({ effects }) => effects.updatedInput)

export interface Heard {
  readonly event: HookEvent
  /** What matchers were compared with. */
  readonly subject: string | undefined
  /** In the order in which the handlers ended. */
  readonly answers: ReadonlyArray<Answer>
}

/** What the model is told, in the order in which the handlers ended. */
const contextIn = ({ event, subject, answers }: Heard): string | undefined =>
  joined(
    answers.flatMap(({ said, effects }) => [
      ...(said === undefined ? [] : [saidText(event, subject, said)]),
      ...(typeof effects.additionalContext === "string" && effects.additionalContext !== ""
        ? [contextText(event, subject, effects.additionalContext)]
        : [])
    ])
  )

const present = (outcome: { readonly [K in keyof HookOutcome]: HookOutcome[K] | undefined }): HookOutcome =>
  Object.fromEntries(Object.entries(outcome).filter(([, value]) => value !== undefined))

export const outcomeOf = (heard: Heard): HookOutcome => {
  const { event, subject, answers } = heard
  const ordered = inOrder(answers)
  const strictest = ordered
    .filter(isJudging)
    .reduce<Judging | undefined>((best, one) => (best === undefined ? one : stricter(best, one)), undefined)
  const reason = strictest?.verdict.reason
  return present({
    decision: strictest?.verdict.decision,
    reason: reason === "" ? undefined : reason,
    updatedInput: inputIn(ordered),
    updatedOutput: outputText(firstOf(ordered, ({ effects }) => effects.updatedToolOutput ?? effects.updatedMCPToolOutput)),
    context: contextIn(heard),
    block: texts(ordered, ({ block, label }) =>
      block === undefined ? undefined : remarkText(event, subject, { label, text: block })
    ),
    stop: firstOf(ordered, ({ stop }) => stop),
    permission: permissionIn(ordered),
    retry: ordered.some(({ effects }) => effects.retry === true) ? true : undefined,
    sessionTitle: asText(firstOf(ordered, ({ effects }) => effects.sessionTitle)),
    initialUserMessage: texts(ordered, ({ effects }) => asText(effects.initialUserMessage)),
    hidesPrompt: ordered.some(({ effects }) => effects.suppressOriginalPrompt === true) ? true : undefined,
    displayContent: asText(firstOf(ordered, ({ effects }) => effects.displayContent))
  })
}
