import type { PermissionAnswer } from "../../core/loop/machine/event.ts"
import type { Decision } from "../../core/permission/verdict.ts"
import { readPermissionAnswer } from "./permission-answer.ts"

/** Whoever can answer and PermissionRequest hooks think about one question at the same time. */

/** Begins to think; nothing to say is an answer too. The result calls it off. */
export type Decider = (settle: (answer: PermissionAnswer | undefined) => void) => () => void

export interface Race {
  readonly deciders: ReadonlyArray<Decider>
  readonly reply: (answer: PermissionAnswer) => void
  /** What holds when none of them has anything to say. */
  readonly otherwise: PermissionAnswer
}

/** Replies with the first answer and calls the others off. The returned function withdraws the question. */
export const firstAnswer = ({ deciders, reply, otherwise }: Race): (() => void) => {
  const callOffs: Array<() => void> = []
  let thinking = deciders.length
  let isOver = false
  const end = (): void => {
    isOver = true
    for (const callOff of callOffs) callOff()
  }
  const settle = (answer: PermissionAnswer | undefined): void => {
    thinking--
    if (isOver || (answer === undefined && thinking > 0)) return
    end()
    reply(answer ?? otherwise)
  }
  for (const decide of deciders) if (!isOver) callOffs.push(decide(settle))
  // Not before the asker holds the means to withdraw the question.
  if (deciders.length === 0) queueMicrotask(() => settle(undefined))
  return () => {
    if (!isOver) end()
  }
}

/** Programs may refuse anything, but allow only what no rule wants a user for. */
const needsPerson = ({ immune, matchedRule, reason }: Decision): boolean =>
  immune === true || matchedRule?.behavior === "ask" || reason.type === "rule" || reason.type === "requiresInteraction"

/** What PermissionRequest hooks say about a question, if anything. */
export const readHookDecision = (said: unknown, decision: Decision): PermissionAnswer | undefined => {
  if (said === undefined) return undefined
  const answer = readPermissionAnswer(said, "A PermissionRequest hook")
  return answer.behavior === "allow" && needsPerson(decision) ? undefined : answer
}
