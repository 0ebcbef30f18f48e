import type { CallId } from "../domain/id.ts"
import { tooManyObjections } from "../permission/classifier/objections.ts"
import type { CheckOutcome } from "../permission/classifier/outcome.ts"
import { visible } from "../domain/text/visible-text.ts"
import { effectiveMode } from "../permission/mode.ts"
import { hostQuestion, NETWORK_TOOL } from "./machine/host-question.ts"
import { findCall } from "./calls/call-stage.ts"
import { beginLook, endLook } from "./calls/classifier-check.ts"
import type { Command } from "./machine/command.ts"
import type { Occurrence, PermissionAnswer } from "./machine/event.ts"
import { onPermissionsUpdated } from "./on-control.ts"
import { overBudget } from "./turn/send-request.ts"
import { patchPending } from "./machine/pending.ts"
import type { AgentState, HostQuestions, OpenHostQuestion } from "./machine/state.ts"
import { andThen, freshName, isRunning, notice, type Step, stay } from "./machine/transition.ts"

/**
 * Hosts that sandboxed commands want to reach and no rule names. All requests for one host share one question.
 * An answer holds for every command that waited for it, until the command ends: one that asks again is not asked about.
 * In auto mode the classifier is asked first, about host and port.
 */

type HostRequested = Extract<Occurrence, { readonly _tag: "HostRequested" }>

/** Answers that are kept; a command that makes more hosts up than this is asked about again. */
const MOST_SETTLED = 256

const withHosts = (state: AgentState, hosts: HostQuestions): AgentState => patchPending(state, { hosts })

const answer = (requestIds: ReadonlyArray<string>, refused: string | undefined): Command => ({
  _tag: "AnswerHostRequests",
  requestIds,
  refused
})

/** Why nobody is asked; undefined when somebody can be. */
const unaskable = ({ config, permission }: AgentState): string | undefined => {
  if (!config.canAsk) return "it is not in the list of allowed domains, and nobody is there to ask"
  return effectiveMode(permission) === "dontAsk"
    ? "it is not in the list of allowed domains, and dontAsk mode denies what would ask"
    : undefined
}

const commandOf = (state: AgentState, callId: CallId): string | undefined =>
  isRunning(state) ? findCall(state, callId)?.reading?.summary : undefined

const withOpen = (state: AgentState, open: ReadonlyArray<OpenHostQuestion>): AgentState =>
  withHosts(state, { ...state.pending.hosts, open })

/** Asks a user, unless one is asked about the same host already. */
const ask = (state: AgentState, wanted: OpenHostQuestion): Step => {
  const { host, port, id, requests } = wanted
  const isAsked = (one: OpenHostQuestion): boolean => one.host === host && one.check === undefined
  if (state.pending.hosts.open.some(isAsked)) {
    const joined = (one: OpenHostQuestion) => ({ ...one, requests: [...one.requests, ...requests] })
    return stay(
      withOpen(
        state,
        state.pending.hosts.open.map((one) => (isAsked(one) ? joined(one) : one))
      )
    )
  }
  const question = hostQuestion(id, { name: host, port, command: commandOf(state, requests[0]?.callId ?? "") })
  return [withOpen(state, [...state.pending.hosts.open, { ...wanted, question }]), [{ _tag: "AskPermission", question }]]
}

/** In auto mode the classifier answers, as long as it may. */
const isLookedAt = (state: AgentState): boolean =>
  effectiveMode(state.permission) === "auto" && tooManyObjections(state.objections) === undefined && !overBudget(state)

const lookAt = (state: AgentState, question: OpenHostQuestion): Step => {
  const [checkId, named] = freshName(state, "check")
  const { host, port, requests } = question
  const callId = requests[0]?.callId ?? ""
  const input = JSON.stringify({ host, port, command: commandOf(state, callId) })
  const why = hostQuestion(question.id, { name: host, port, command: undefined }).decision.reason.sentence
  const opened = withOpen(named, [...state.pending.hosts.open, { ...question, check: checkId }])
  return beginLook(opened, { checkId, callId, action: { tool: NETWORK_TOOL, input, why } })
}

/** Whether a request has its answer in that of the question: a look is at one port, a user decides about the host. */
const covers = (question: OpenHostQuestion, { host, port }: Pick<HostRequested, "host" | "port">): boolean =>
  question.host === host && (question.check === undefined || question.port === port)

const isWaiting = ({ open }: HostQuestions, requestId: string): boolean =>
  open.some(({ requests }) => requests.some((request) => request.requestId === requestId))

export const onHostRequested = (state: AgentState, event: HostRequested): Step => {
  const { hosts } = state.pending
  const { requestId, callId, host, port } = event
  if (isWaiting(hosts, requestId)) return stay(state)
  const settled =
    hosts.settled.find((one) => one.callId === callId && one.host === host) ??
    hosts.judged.find((one) => one.host === host && one.port === port)
  if (settled !== undefined) return [state, [answer([requestId], settled.refused)]]
  const open = hosts.open.find((question) => covers(question, event))
  if (open === undefined) return begin(state, { id: requestId, host, port, requests: [{ requestId, callId }] })
  const joined = { ...open, requests: [...open.requests, { requestId, callId }] }
  return stay(
    withOpen(
      state,
      hosts.open.map((question) => (question === open ? joined : question))
    )
  )
}

const begin = (state: AgentState, question: OpenHostQuestion): Step =>
  isLookedAt(state) ? lookAt(state, question) : askOrRefuse(state, question)

const askOrRefuse = (state: AgentState, question: OpenHostQuestion, because = ""): Step => {
  const refused = unaskable(state)
  if (refused === undefined) return ask(state, question)
  return [
    state,
    [
      answer(
        question.requests.map(({ requestId }) => requestId),
        `${refused}${because}`
      )
    ]
  ]
}

const without = (state: AgentState, question: OpenHostQuestion): AgentState =>
  withOpen(
    state,
    state.pending.hosts.open.filter(({ id }) => id !== question.id)
  )

/** The question that waits for this look of the classifier. */
export const hostLookedAt = ({ pending: { hosts } }: AgentState, checkId: string): OpenHostQuestion | undefined =>
  hosts.open.find(({ check }) => check === checkId)

/** The classifier's word holds for host and port until mode or rules change. Without one a user is asked. */
export const onHostChecked = (
  state: AgentState,
  { check: _done, ...question }: OpenHostQuestion,
  outcome: CheckOutcome
): Step => {
  const closed = without(state, question)
  if (outcome._tag === "NoVerdict") return askOrRefuse(closed, question, "; the classifier gave no verdict")
  const { host, port, requests } = question
  const why = outcome.reason === "" ? "" : `: ${visible(outcome.reason)}`
  const refused = outcome.block ? `the auto mode classifier blocked it${why}` : undefined
  const judged = [...state.pending.hosts.judged, { host, port, refused }].slice(-MOST_SETTLED)
  return [
    withHosts(closed, { ...closed.pending.hosts, judged }),
    [
      answer(
        requests.map(({ requestId }) => requestId),
        refused
      ),
      ...(refused === undefined ? [] : [notice("warning", `${visible(host)}:${port} is not reached: ${refused}`)])
    ]
  ]
}

/** What the classifier was asked about hosts no longer holds: it is asked again, or a user is. */
export const reconsiderHosts = (state: AgentState): Step =>
  state.pending.hosts.open.reduce<Step>((step, { check, ...question }) => {
    if (check === undefined) return step
    return andThen(step, (next) => andThen(endLook(without(next, question), check), (ready) => begin(ready, question)))
  }, stay(state))

const withdraw = (state: AgentState, id: string, check: string | undefined): Step =>
  check === undefined ? [state, [{ _tag: "WithdrawQuestion", callId: id }]] : endLook(state, check)

/** Whoever asked is gone; a question that nobody waits for any more is withdrawn. */
export const onHostRequestEnded = (state: AgentState, requestId: string): Step => {
  const { hosts } = state.pending
  if (!isWaiting(hosts, requestId)) return stay(state)
  const left = hosts.open.map((question) => ({
    ...question,
    requests: question.requests.filter((request) => request.requestId !== requestId)
  }))
  const withdrawn = left.filter(({ requests }) => requests.length === 0)
  const kept = withHosts(state, { ...hosts, open: left.filter(({ requests }) => requests.length > 0) })
  return withdrawn.reduce<Step>((step, { id, check }) => andThen(step, (next) => withdraw(next, id, check)), stay(kept))
}

export const openHostQuestion = ({ pending: { hosts } }: AgentState, id: string): OpenHostQuestion | undefined =>
  hosts.open.find((question) => question.id === id && question.check === undefined)

const USER_REFUSED = "the user refused it"

/** One answer is for everybody who waits for the host. What it saves is a rule, which the proxy reads from now on. */
export const onHostAnswered = (state: AgentState, question: OpenHostQuestion, given: PermissionAnswer): Step => {
  const refused = given.behavior === "allow" ? undefined : USER_REFUSED
  const { host, requests } = question
  const callIds = [...new Set(requests.map(({ callId }) => callId))]
  const settled = [...state.pending.hosts.settled, ...callIds.map((callId) => ({ callId, host, refused }))]
  const closed = withHosts(state, {
    ...state.pending.hosts,
    open: state.pending.hosts.open.filter(({ id }) => id !== question.id),
    settled: settled.slice(-MOST_SETTLED)
  })
  return andThen(onPermissionsUpdated(closed, given.updates ?? []), (next) => [
    next,
    [
      answer(
        requests.map(({ requestId }) => requestId),
        refused
      )
    ]
  ])
}
