import { Result } from "effect"
import type { Command } from "../../../src/core/loop/machine/command.ts"
import type { LoopEvent } from "../../../src/core/loop/machine/event.ts"
import type { AgentState, Call } from "../../../src/core/loop/machine/state.ts"
import type { PermissionContext } from "../../../src/core/permission/context.ts"
import { decide } from "../../../src/core/permission/decide/decide.ts"
import type { CallFacts } from "../../../src/core/permission/facts.ts"
import { effectiveMode } from "../../../src/core/permission/mode.ts"
import { NETWORK_TOOL } from "../../../src/core/loop/machine/host-question.ts"
import type { Decoded } from "../../../src/core/tools/contract/decoded.ts"
import type { AnyTool } from "../../../src/core/tools/contract/any-tool.ts"
import { toolFor } from "../../../src/core/tools/toolbox.ts"
import { check, fail } from "./law.ts"
import { turnOf } from "../../../src/core/loop/machine/transition.ts"

type StartCall = Extract<Command, { _tag: "StartCall" }>

const callIn = (state: AgentState, id: string): Call | undefined => turnOf(state)?.calls.find((call) => call.id === id)

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/**
 * Whether a call may start, judged independently of the loop: what the rules say at that moment, what a user said
 * about this very input, what a hook said.
 */
export class StartOracle {
  private readonly begun = new Set<string>()
  private readonly questions = new Map<string, unknown>()
  private readonly grants = new Map<string, unknown>()
  private readonly hookSaid = new Map<string, { verdict: string | undefined; rewrote: boolean }>()
  private readonly facts = new Map<string, CallFacts>()
  /** What each call was decoded to when it was prepared last. */
  private readonly inputs = new Map<string, Decoded<unknown>>()
  /** Looks of the classifier that were asked for and not taken back, with the mode and rules they were asked under. */
  private readonly looks = new Map<string, { readonly callId: string; readonly permission: PermissionContext }>()
  private readonly cleared = new Map<string, PermissionContext>()

  /** What an event means for calls to come, read from the state it meets. */
  hear(before: AgentState, event: LoopEvent): void {
    if (event._tag === "HooksSettled") return this.hearHooks(before, event)
    if (event._tag === "CallChecked") return this.hearCheck(event)
    if (event._tag === "CallPrepared" && callIn(before, event.callId)?.stage === "preparing") {
      this.facts.set(event.callId, event.facts)
    }
    if (event._tag === "CallOutdated" && callIn(before, event.callId)?.stage === "executing") {
      // Decided anew: what was granted was granted for another place.
      this.begun.delete(event.callId)
      this.grants.delete(event.callId)
      this.cleared.delete(event.callId)
      this.facts.set(event.callId, event.facts)
    }
    if (event._tag !== "PermissionAnswered" || event.answer.behavior !== "allow") return
    if (callIn(before, event.callId)?.stage !== "asking") return
    this.grants.set(event.callId, event.answer.updatedInput ?? this.questions.get(event.callId))
  }

  private hearHooks(before: AgentState, event: Extract<LoopEvent, { _tag: "HooksSettled" }>): void {
    if (!event.hookId.startsWith("pre:")) return
    const id = event.hookId.slice(4)
    if (callIn(before, id)?.stage !== "hooks") return
    const rewrote = event.outcome.updatedInput !== undefined
    this.hookSaid.set(id, { verdict: event.outcome.decision, rewrote })
    if (rewrote) this.grants.delete(id)
  }

  /** A clean verdict on a look that still counts; one on any other changes nothing. */
  private hearCheck(event: Extract<LoopEvent, { _tag: "CallChecked" }>): void {
    const look = this.looks.get(event.checkId)
    this.looks.delete(event.checkId)
    if (look === undefined || event.outcome._tag !== "Judged" || event.outcome.block) return
    this.cleared.set(look.callId, look.permission)
  }

  checking(state: AgentState, command: Extract<Command, { _tag: "CheckCall" }>): void {
    const { callId, checkId } = command
    if (command.inquiry.action.tool === NETWORK_TOOL) {
      return check(effectiveMode(state.permission) === "auto", "hosts are checked in auto mode only", callId)
    }
    const call = callIn(state, callId)
    const tool = call?.tool === undefined ? undefined : toolFor(state.toolbox, call.tool)
    if (call === undefined || tool === undefined) return fail("only calls are checked", callId)
    if (!("facts" in call)) return fail("only prepared calls are checked", callId)
    const { input } = call.reading
    const decision = this.decisionOn(state, tool, { input, cwd: state.cwd, facts: call.facts })
    const about = `${call.name} ${JSON.stringify(input)}`
    check(decision.verdict !== "deny" && decision.immune !== true, "no denial and no immune ask is checked", about)
    check(decision.classifierApprovable === true || decision.verdict === "allow", "only what may be checked is", about)
    check(!this.looks.has(checkId), "a look is begun once", checkId)
    this.looks.set(checkId, { callId, permission: state.permission })
  }

  aborted({ checkId }: Extract<Command, { _tag: "AbortCheck" }>): void {
    this.looks.delete(checkId)
  }

  prepared({ callId, input }: Extract<Command, { _tag: "PrepareCall" }>): void {
    this.inputs.set(callId, input)
  }

  asked(command: Extract<Command, { _tag: "AskPermission" }>): void {
    this.questions.set(command.question.callId, command.question.input)
  }

  /** Throws when the call should not have started. */
  started(state: AgentState, command: StartCall): void {
    const { callId, input } = command
    check(!this.begun.has(callId), "a call starts once", callId)
    this.begun.add(callId)
    check(same(command.facts, this.facts.get(callId)), "a call starts with the facts that were found", callId)
    check(input === this.inputs.get(callId), "an input is decoded once: what was prepared is what starts", callId)
    const tool = toolFor(state.toolbox, command.tool)
    if (tool === undefined) return fail("only offered tools start", command.tool)
    const decision = this.decisionOn(state, tool, command)
    const about = `${command.tool} ${JSON.stringify(input)}`
    check(decision.verdict !== "deny", "nothing denied starts", about)
    if (this.isGranted(tool, callId, input)) return
    const hook = this.hookSaid.get(callId)
    check(hook?.verdict !== "ask" && hook?.verdict !== "deny", "a hook's ask is asked", about)
    const answered = decision.reason.type === "requiresInteraction" && hook?.rewrote === true
    const isUnliftable = ["protectedPath", "parse", "analysisLimit"].includes(decision.reason.type)
    const byHook = hook?.verdict === "allow" && !isUnliftable && (decision.immune !== true || answered)
    const byCheck = this.cleared.get(callId) === state.permission && decision.immune !== true
    this.cleared.delete(callId)
    check(decision.verdict === "allow" || byHook || byCheck, "nothing starts without allow", about)
  }

  private decisionOn(state: AgentState, tool: AnyTool, command: Pick<StartCall, "input" | "cwd" | "facts">) {
    const reading = tool.accept(command.input.value)
    if (Result.isFailure(reading)) return fail("only valid input starts", reading.failure)
    return decide({
      context: state.permission,
      tool: { name: tool.name, aliases: tool.aliases, readOnly: reading.success.traits.readOnly },
      needs: tool.needs(reading.success.input, command.cwd),
      facts: command.facts,
      input: command.input.value,
      cwd: command.cwd
    })
  }

  private isGranted(tool: AnyTool, callId: string, input: unknown): boolean {
    if (!this.grants.has(callId)) return false
    const granted = tool.accept(this.grants.get(callId))
    return Result.isSuccess(granted) && same(granted.success.input, input)
  }
}
