import { Effect, Result } from "effect"
import * as Log from "../../core/domain/append-list.ts"
import { type UndoableChange, memoryLines, type NotePlace } from "../../core/context/memory/look.ts"
import { visible } from "../../tui/line/visible.ts"
import { lookAtMemory } from "../memory/look-at-memory.ts"
import { deleteMemory, keepOutOfGit, noteReminder, undoChange, writeNote } from "../memory/memory-changes.ts"
import { memoryLayer } from "../layers/ports.ts"
import type { SessionPlan } from "../plan/session-plan.ts"
import type { SessionHandle } from "../session/session-handle.ts"

/** What `#` and `/memory` do in the line mode. Each says what came of it. */
export class LineMemory {
  private readonly changes: Array<UndoableChange> = []

  constructor(
    private readonly session: SessionHandle,
    private readonly plan: SessionPlan
  ) {}

  async remember(place: NotePlace, text: string): Promise<ReadonlyArray<string>> {
    const { facts } = this.session
    const { configHome, env } = this.plan
    const { change, isRedacted } = writeNote(place, text, { cwd: facts.cwd, configHome, memory: facts.memory })
    this.changes.push(change)
    this.session.submit(noteReminder(change), { priority: "later", appendOnly: true })
    if (place === "local") await keepOutOfGit(facts.cwd, env)
    const without = isRedacted ? ", without what looked like a secret" : ""
    return [`note: memory updated in ${visible(change.path)}${without}. /memory undo undoes it`]
  }

  async forget(name: string): Promise<ReadonlyArray<string>> {
    const { memory } = this.session.facts
    if (memory._tag === "Off") return [`error: memory is off: ${memory.why}`]
    const change = await Effect.runPromise(Effect.provide(deleteMemory(memory.path, name), memoryLayer))
    if (change === undefined) return [`error: there is no ${visible(name)} in memory. /memory shows what there is`]
    this.changes.push(change)
    return [`note: ${visible(name)} is deleted. /memory undo brings it back`]
  }

  async undo(): Promise<ReadonlyArray<string>> {
    const change = this.changes.pop()
    if (change === undefined) return ["note: there is nothing to undo in memory"]
    const undone = await Effect.runPromise(Effect.result(Effect.provide(undoChange(change), memoryLayer)))
    return [Result.isSuccess(undone) ? `note: ${visible(undone.success)}` : `error: ${visible(undone.failure)}`]
  }

  reload(): Promise<ReadonlyArray<string>> {
    this.session.offer({ _tag: "ContextOutdated" })
    return Promise.resolve(["note: instructions are read again with the next prompt"])
  }

  async show(): Promise<ReadonlyArray<string>> {
    const { facts } = this.session
    const messages = Log.toArray(this.session.state().conversation.messages)
    const look = await Effect.runPromise(
      Effect.provide(lookAtMemory({ plan: this.plan, memory: facts.memory, messages }), memoryLayer)
    )
    return memoryLines(look).map((line) => visible(line))
  }
}
