import { Effect, Result } from "effect"
import { settingOf } from "../../../../core/settings/snapshot.ts"
import * as Log from "../../../../core/domain/append-list.ts"
import type { CmdOf } from "../../../../tui/model/cmd.ts"
import { lookAtMemory } from "../../../memory/look-at-memory.ts"
import { deleteMemory, keepOutOfGit, noteReminder, undoChange, writeNote } from "../../../memory/memory-changes.ts"
import type { SessionHandle } from "../../../session/session-handle.ts"
import { messageOf, type PerformContext } from "../context/command-context.ts"
import { withSession } from "../sessions/session-commands.ts"

/** What `#` and `/memory` do. */
const show = async (context: PerformContext, session: SessionHandle, opens: boolean): Promise<void> => {
  const { memory } = session.facts
  const messages = Log.toArray(session.state().conversation.messages)
  const look = await context.withPorts(lookAtMemory({ plan: context.plan, memory, messages }))
  context.tell({ _tag: "MemorySeen", look, opens })
}

export const inspectMemory = (context: PerformContext, { session, opens }: CmdOf<"LookAtMemory">): void =>
  withSession(context, session, (handle) =>
    context.attempt("the memory cannot be shown", () => show(context, handle, opens))
  )

/** Writes it down and lets the running conversation know. */
export const writeDown = (context: PerformContext, cmd: CmdOf<"WriteNote">): void =>
  withSession(context, cmd.session, (session) =>
    context.attempt("nothing was remembered", async () => {
      const { plan, notice, tell } = context
      const { cwd, memory } = session.facts
      const { change, isRedacted } = writeNote(cmd.place, cmd.text, { cwd, configHome: plan.configHome, memory })
      const without = isRedacted ? ", without what looked like a secret" : ""
      notice(
        `memory updated in ${change.path}${without} · /memory to edit, /memory undo`,
        isRedacted ? "warning" : "success"
      )
      tell({ _tag: "MemoryChanged", change })
      session.submit(noteReminder(change), { priority: "later", appendOnly: true })
      if (cmd.place !== "local") return
      await keepOutOfGit(cwd, plan.env).catch((error: unknown) =>
        notice(`CLAUDE.local.md is not kept out of git (${messageOf(error)}). Fix: add it to .gitignore`, "warning")
      )
    })
  )

export const removeMemory = (context: PerformContext, { session, name }: CmdOf<"DeleteMemory">): void =>
  withSession(context, session, (handle) =>
    context.attempt("the memory was not deleted", async () => {
      const { memory } = handle.facts
      if (memory._tag === "Off") return
      const change = await context.withPorts(deleteMemory(memory.path, name))
      if (change === undefined) context.notice(`${name} is gone already`, "warning")
      else {
        context.tell({ _tag: "MemoryChanged", change })
        context.notice(`${name} is deleted; u or /memory undo brings it back`, "success")
      }
      await show(context, handle, false)
    })
  )

export const undoMemory = (context: PerformContext, { session, change }: CmdOf<"UndoMemory">): void =>
  withSession(context, session, (handle) =>
    context.attempt("nothing was undone", async () => {
      const undone = await context.withPorts(Effect.result(undoChange(change)))
      if (Result.isFailure(undone)) context.notice(`not undone: ${undone.failure}`, "error")
      else context.notice(undone.success, "success")
      await show(context, handle, false)
    })
  )

const KEY = "autoMemoryEnabled"

/** Written for all projects. A conversation that runs keeps the prompt that it began with. */
export const switchMemory = (context: PerformContext, { isOn }: CmdOf<"SwitchMemory">): void =>
  context.attempt("the setting was not changed", async () => {
    const { settings } = context.plan
    const saved = await settings.change("userSettings", [{ path: [KEY], value: isOn }])
    if (Result.isFailure(saved)) return context.notice(`not saved: ${saved.failure}`, "error")
    if (settingOf(settings.current().snapshot, KEY) !== isOn) {
      return context.notice(`${KEY} stays as it is: another settings file says so`, "warning")
    }
    context.notice(`memory is ${isOn ? "on" : "off"} from the next conversation on (/clear begins one)`, "success")
  })
