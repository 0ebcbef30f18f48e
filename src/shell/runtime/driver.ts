import { Context } from "effect"
import type { AgentId } from "../../core/domain/id.ts"
import type { Command } from "../../core/loop/machine/command.ts"
import type { LoopEvent, Occurrence } from "../../core/loop/machine/event.ts"
import { finish } from "../../core/loop/turn/finish.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"
import { inTurn } from "../../core/loop/machine/transition.ts"
import { step } from "../../core/loop/step.ts"

/** Called with every event and what it led to; the flight recorder and the debug log listen here. */
export type Witness = (event: LoopEvent, state: AgentState, commands: ReadonlyArray<Command>) => void

export type Interpret = (command: Command) => void

export interface DriverOptions {
  /** Whose loop it is; the first agent's if absent. */
  readonly agent?: AgentId
  readonly initial: AgentState
  readonly now: () => number
  readonly witnesses: ReadonlyArray<Witness>
  /** The core or the interpreter threw: a defect. The turn ends or goes on without it, the program stays alive. */
  readonly onDefect: (defect: unknown, event: LoopEvent) => void
}

export interface Driver {
  /** Puts an event into the mailbox. Handled at once, or right after the event that is being handled. */
  readonly offer: (occurrence: Occurrence) => void
  readonly state: () => AgentState
  /** From now on commands are carried out. What was offered before has waited and comes first. */
  readonly start: (interpret: Interpret) => void
  /** The last event: what is offered afterwards means nothing any more. */
  readonly shutDown: () => void
}

/** The loop of the agent that the services of this context belong to. */
export class AgentLoop extends Context.Service<AgentLoop, Driver>()("nacre/shell/AgentLoop") {}

/**
 * One mailbox, one writer: events are stepped one by one in arrival order and their commands are interpreted in list
 * order before the next event is looked at. Nothing else ever changes the state.
 */
export const makeDriver = ({ agent, initial, now, witnesses, onDefect }: DriverOptions): Driver => {
  const mailbox: Array<LoopEvent> = []
  // The first state is not held beside it: it may be a long conversation that was compacted since.
  let state = initial
  let carryOut: Interpret | undefined
  let draining = false
  let isOver = false

  const advance = (event: LoopEvent): ReadonlyArray<Command> => {
    try {
      const [next, commands] = step(state, event)
      state = next
      for (const witness of witnesses) witness(event, next, commands)
      return commands
    } catch (defect) {
      onDefect(defect, event)
      const [next, commands] = inTurn({ ...state, now: event.at }, (running) => finish(running, "model_error"))
      state = next
      return commands
    }
  }

  const drain = (interpret: Interpret): void => {
    draining = true
    try {
      for (let event = mailbox.shift(); event !== undefined; event = mailbox.shift()) {
        for (const command of advance(event)) {
          // One command that cannot be carried out must not take the others with it.
          try {
            interpret(command)
          } catch (defect) {
            onDefect(defect, event)
          }
        }
      }
    } finally {
      draining = false
    }
  }

  const offer = (occurrence: Occurrence): void => {
    if (isOver) return
    mailbox.push(agent === undefined ? { ...occurrence, at: now() } : { ...occurrence, at: now(), agent })
    if (!draining && carryOut !== undefined) drain(carryOut)
  }

  return {
    offer,
    state: () => state,
    start: (interpret) => {
      carryOut = interpret
      if (!draining) drain(interpret)
    },
    shutDown: () => {
      offer({ _tag: "ShutDown" })
      isOver = true
    }
  }
}
