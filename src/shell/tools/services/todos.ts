import { Context, Effect, HashMap, Layer, Option, Ref } from "effect"
import type { SessionId } from "../../../core/domain/id.ts"
import { openTodos, type Todo } from "../../../core/tools/conversation/todo-write.ts"

/** The todo list of each session of the process. */
export class Todos extends Context.Service<
  Todos,
  {
    readonly get: (session: SessionId) => Effect.Effect<ReadonlyArray<Todo>>
    /** Keeps the new list (a finished one is closed) and answers with the one before it. */
    readonly replace: (session: SessionId, todos: ReadonlyArray<Todo>) => Effect.Effect<ReadonlyArray<Todo>>
  }
>()("nacre/shell/Todos") {}

type Lists = HashMap.HashMap<SessionId, ReadonlyArray<Todo>>

const listOf = (lists: Lists, session: SessionId): ReadonlyArray<Todo> =>
  Option.getOrElse(HashMap.get(lists, session), () => [])

const makeTodos: Effect.Effect<Todos["Service"]> = Effect.map(
  Ref.make<Lists>(HashMap.empty<SessionId, ReadonlyArray<Todo>>()),
  (lists) => ({
    get: (session) => Effect.map(Ref.get(lists), (known) => listOf(known, session)),
    replace: (session, todos) =>
      Ref.modify(lists, (known) => [listOf(known, session), HashMap.set(known, session, openTodos(todos))] as const)
  })
)

export const layer: Layer.Layer<Todos> = Layer.effect(Todos, makeTodos)
