import { Effect } from "effect"
import type { Cmd } from "../../../../tui/model/cmd.ts"
import { Records } from "../../../../core/ports/Records.ts"
import type { PerformContext } from "../context/command-context.ts"
import { withSession } from "./session-commands.ts"

/** One tag for each session: the same again takes it away. */
const TAG_CHARS = 60

const tagNow = Effect.fnUntraced(function* (path: string) {
  const records = yield* Records
  const file = yield* records.fileAt(path)
  return (yield* records.row(file)).tag
})

export const tagSession = (context: PerformContext, { session, tag: wanted }: Extract<Cmd, { _tag: "TagSession" }>): void =>
  withSession(context, session, (handle) =>
    context.attempt("the session was not tagged", async () => {
      const tag = wanted.trim()
      if (/[\u0000-\u001F\u007F-\u009F]/.test(tag) || tag.length > TAG_CHARS) {
        return context.notice(`a tag is one line of at most ${TAG_CHARS} characters`, "error")
      }
      const current = await context.withPorts(tagNow(handle.facts.transcriptPath).pipe(Effect.orElseSucceed(() => null)))
      if (tag === "") {
        return context.notice(current === null ? "name the tag: /tag TEXT" : `this session is tagged ${current}`)
      }
      const next = current === tag ? "" : tag
      handle.tag(next)
      context.notice(next === "" ? `no longer tagged ${tag}` : `tagged ${tag}`, "success")
    })
  )
