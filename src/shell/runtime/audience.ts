import type { SideKind } from "../../core/context/side/side-task.ts"
import type { PermissionQuestion } from "../../core/loop/machine/command.ts"
import type { PermissionAnswer } from "../../core/loop/machine/event.ts"
import type { CallHost } from "../hooks/hooks.ts"
import type { Wants } from "./publications.ts"

/** The audience that a session is opened for; it also answers. */
export interface Audience extends Wants {
  /** Puts a question; the reply comes once. The returned function withdraws the question. */
  readonly ask?: (question: PermissionQuestion, reply: (answer: PermissionAnswer) => void) => () => void
  /** Runs hooks that are code of the host. */
  readonly callHook?: CallHost
  /** Side tasks that are for it alone: it shows what comes of them. */
  readonly shows?: ReadonlyArray<SideKind>
}
