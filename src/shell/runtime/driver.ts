import type { Command } from "../../core/loop/machine/command.ts"
import type { LoopEvent, Occurrence } from "../../core/loop/machine/event.ts"
import { finish } from "../../core/loop/turn/finish.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"
import { step } from "../../core/loop/step.ts"

/** Called with every event and what it led to; the flight recorder and the debug log listen here. */
export type Witness = (event: LoopEvent, state: AgentState, commands: ReadonlyArray<Command>) => void

export interface DriverOptions {
  readonly initial: AgentState
  readonly now: () => number
  readonly interpret: (command: Command) => void
  readonly witnesses: ReadonlyArray<Witness>
  /** The core or the interpreter threw: a defect. The turn ends or goes on without it, the program stays alive. */
  readonly onDefect: (defect: unknown, event: LoopEvent) => void
}

export interface Driver {
  /** Puts an event into the mailbox. Handled at once, or right after the event that is being handled. */
  readonly offer: (occurrence: Occurrence) => void
  readonly state: () => AgentState
}

/**
 * One mailbox, one writer: events are stepped one by one in arrival order and their commands are interpreted in list
 * order before the next event is looked at. Nothing else ever changes the state.
 */
export const makeDriver = ({ initial, now, interpret: carryOut, witnesses, onDefect }: DriverOptions): Driver => {
  const mailbox: Array<LoopEvent> = []
  // The first state is not held beside it: it may be a long conversation that was compacted since.
  let state = initial
  let draining = false

  const advance = (event: LoopEvent): ReadonlyArray<Command> => {
    try {
      const [next, commands] = step(state, event)
      state = next
      for (const witness of witnesses) witness(event, next, commands)
      return commands
    } catch (defect) {
      onDefect(defect, event)
      const [next, commands] = finish({ ...state, now: event.at }, "model_error")
      state = next
      return commands
    }
  }

  /** One command that cannot be carried out must not take the others with it. */
  const interpret = (command: Command, event: LoopEvent): void => {
    try {
      carryOut(command)
    } catch (defect) {
      onDefect(defect, event)
    }
  }

  const drain = (): void => {
    draining = true
    try {
      for (let event = mailbox.shift(); event !== undefined; event = mailbox.shift()) {
        for (const command of advance(event)) interpret(command, event)
      }
    } finally {
      draining = false
    }
  }

  return {
    offer: (occurrence) => {
      mailbox.push({ ...occurrence, at: now() })
      if (!draining) drain()
    },
    state: () => state
  }
}
