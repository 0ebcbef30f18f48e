import type { Cmd } from "../../src/tui/model/cmd.ts"
import { bash, callBlock, type CallPlan, ending, textBlock, write } from "../core/loop/response-plan.ts"
import type { Script } from "../core/loop/script.ts"
import type { TuiWorld } from "./tui-world.ts"
import { turnOf } from "../../src/core/loop/machine/transition.ts"

/**
 * An agent that goes on by one small step whenever it is told to, whatever state it is in, and that does what the
 * interface asks for. With it any order of keys and news can be played.
 */
export class SteppedAgent {
  private said = 0
  private calls = 0
  private settled = new Set<string>()

  constructor(readonly script: Script) {}

  /** One step; the choice decides among the possible ones. */
  advance(choice: number): void {
    const { script } = this
    switch (script.phase) {
      case "Idle":
        return void script.begin(`prompt ${choice}`)
      case "Preparing":
        return script.persisted()
      case "Requesting":
        return script.startResponse()
      case "Streaming":
        return this.speak(choice)
      case "Tools":
        return this.work(choice)
      case "Waiting":
        return script.fireTimer()
      default:
        return script.interrupt()
    }
  }

  /** What the interface asked for. A prompt is durable at once. */
  perform(cmd: Cmd): void {
    switch (cmd._tag) {
      case "Submit":
        this.script.prompt(cmd.text, { uuid: `typed-${this.said++}` })
        if (this.script.phase === "Preparing") this.script.persisted()
        return
      case "Answer":
        return this.script.answer(cmd.callId, cmd.answer)
      case "Interrupt":
        return this.script.interrupt()
      case "SetMode":
        return void this.script.feed({ _tag: "ModeChanged", mode: cmd.mode })
      default:
        return
    }
  }

  private speak(choice: number): void {
    const { script } = this
    const { requestId } = script
    const index = this.said++
    const kind = choice % 4
    const call = this.nextCall(choice)
    const markdown = `# Heading ${choice}\n\n*text* with 漢字 and \`code\`\n\n- a list\n`
    if (kind === 0) return script.say(...textBlock(index, markdown))
    if (kind === 1) return script.say(...textBlock(index, "words ".repeat(1 + (choice % 60))))
    script.say(...(kind === 2 ? callBlock(index, call) : []), ...ending(kind === 2 ? { calls: [call] } : {}))
    script.feed({ _tag: "StreamEnded", requestId })
  }

  private nextCall(choice: number): CallPlan {
    const id = `${this.script.state.config.place.sessionId.slice(0, 4)}-call-${this.calls++}`
    if (choice % 3 === 0) return write(id)
    return bash(id, choice % 3 === 1 ? `echo ${choice} > made.txt` : "rm -rf build && make")
  }

  private work(choice: number): void {
    const { script } = this
    const unprepared = script.all("PrepareCall").find(({ callId }) => !this.settled.has(`prepared ${callId}`))
    if (unprepared !== undefined) {
      this.settled.add(`prepared ${unprepared.callId}`)
      return script.prepare(unprepared.callId)
    }
    if (turnOf(script.state)?.calls.some(({ stage }) => stage === "checking") === true) {
      return script.checked({ _tag: "Judged", block: choice % 2 === 0, reason: "no", category: "none" })
    }
    const running = script.startedCalls.find((callId) => !this.settled.has(callId))
    // Nothing runs: the answer of the user is what is missing, and now and then the agent gives up waiting.
    if (running === undefined) return choice % 5 === 0 ? script.interrupt() : undefined
    const progress = { output: `line ${choice}\n` }
    if (choice % 3 === 0) return void script.feed({ _tag: "CallProgressed", callId: running, progress })
    this.settled.add(running)
    script.settle(running)
  }
}

/** Does what the interface asked for until it asks for nothing more. */
export const performAll = (world: TuiWorld, agents: ReadonlyMap<string, SteppedAgent>, from: number): void => {
  for (let at = from; at < world.cmds.length; at++) {
    const cmd = world.cmds[at]
    if (cmd !== undefined && "session" in cmd) agents.get(cmd.session)?.perform(cmd)
  }
}
