import { lineInFile } from "./change-items.ts"
import { type ChangedPlace, changedPlace } from "./changes.ts"
import type { DiffHunk } from "../../text/diff/diff-source.ts"
import { hunkName } from "../../text/diff/hunk-name.ts"
import { plural } from "../../transcript/number-format.ts"
import { withCommands, notify, withoutCommands, type Update, raise } from "../../model/update-result.ts"
import { confirmOverlay } from "../../model/confirm.ts"
import type { ExRequest } from "../../model/ex-command.ts"
import type { FocusedList } from "../list/focused-list.ts"
import { type AppModel, currentSession, withSession } from "../../model/app-model.ts"
import { openOverlay } from "../../model/open-overlay.ts"
import { type HunkComment, reviewed } from "../../model/review-model.ts"

/** The keys and commands by which the user reviews a change (UI-7). */

const toggled = (names: ReadonlySet<string>, name: string): ReadonlySet<string> =>
  names.has(name) ? new Set([...names].filter((each) => each !== name)) : new Set(names).add(name)

interface HunkHere {
  readonly place: ChangedPlace
  readonly hunk: DiffHunk
}

/** The hunk under the cursor of the changes pane; on the head of a file its first one. */
export const hunkUnder = ({ item, session }: Pick<FocusedList, "item" | "session">): HunkHere | undefined => {
  const place = item === undefined ? undefined : changedPlace(session, item.id)
  const hunk = place?.hunk ?? place?.view.diff.hunks[0]
  return place === undefined || hunk === undefined ? undefined : { place, hunk }
}

const noHunk = (model: AppModel): Update => withoutCommands(notify(model, "there is no hunk here"))

export const acceptHunk = (focused: FocusedList): Update => {
  const { model } = focused
  const here = hunkUnder(focused)
  if (here === undefined) return noHunk(model)
  const name = hunkName(here.place.view.diff, here.hunk)
  return withoutCommands(
    withSession(model, focused.session.id, (session) =>
      reviewed(session, { accepted: toggled(session.review.accepted, name) })
    )
  )
}

export const askToRevert = (focused: FocusedList): Update => {
  const { model } = focused
  const here = hunkUnder(focused)
  if (here === undefined) return noHunk(model)
  const { diff } = here.place.view
  if (focused.session.review.reverted.has(hunkName(diff, here.hunk)))
    return withoutCommands(notify(model, "this hunk is reverted already; u takes that back"))
  const change = diff.change === undefined ? {} : { change: diff.change }
  const deed = { _tag: "Reverted" as const, path: diff.path, hunk: here.hunk, ...change }
  const action = { _tag: "RevertHunk" as const, session: focused.session.id, deed }
  return withoutCommands(
    openOverlay(
      model,
      confirmOverlay(action, {
        question: `Revert this hunk of ${diff.path}? u takes it back.`,
        yes: "Revert it",
        no: "Leave it"
      })
    )
  )
}

/** The command line asks for the words. */
export const askForComment = (focused: FocusedList): Update =>
  hunkUnder(focused) === undefined
    ? noHunk(focused.model)
    : raise(focused.model, { id: "line:open", kind: ":", text: "comment " })

const commentAt = ({ place, hunk }: HunkHere, text: string): HunkComment => {
  const { diff } = place.view
  const touched = hunk.lines.findIndex((line) => !line.startsWith(" "))
  const at = place.line === 0 ? touched : place.line - 1
  return {
    hunk: hunkName(diff, hunk),
    path: diff.path,
    line: lineInFile(hunk, place.line),
    quoted: hunk.lines[at] ?? "",
    text
  }
}

const fail = (model: AppModel, words: string): Update => withoutCommands(notify(model, words, { style: "error" }))

/** `:comment TEXT` on the hunk under the cursor; a second one for the same line takes the place of the first. */
export const runComment = (model: AppModel, focused: FocusedList | undefined, { argument }: ExRequest): Update => {
  const here = focused?.pane === "changes" ? hunkUnder(focused) : undefined
  if (focused === undefined || here === undefined)
    return fail(model, "a comment is about a hunk: c in the changes pane begins one")
  if (argument === "") return fail(model, "E471: say what to say: :comment TEXT")
  const comment = commentAt(here, argument)
  const isOther = (each: HunkComment): boolean =>
    each.hunk !== comment.hunk || each.line !== comment.line || each.quoted !== comment.quoted
  const kept = withSession(model, focused.session.id, (session) =>
    reviewed(session, { comments: [...session.review.comments.filter(isOther), comment] })
  )
  return withoutCommands(notify(kept, "comment kept; :comments send tells the agent"))
}

/** What the agent is told: every comment with its place and the line that it is about. */
export const commentsText = (comments: ReadonlyArray<HunkComment>): string =>
  [
    "Comments on the changes:",
    ...comments.map(({ path, line, quoted, text }) => `\n${path}:${line}\n> ${quoted}\n${text}`)
  ].join("\n")

const listed = ({ path, line, text }: HunkComment): string => `${path}:${line}  ${text}`

/** `:comments` lists, `:comments send` submits all of them as one message, `:comments clear` forgets them. */
export const runComments = (model: AppModel, { argument }: ExRequest): Update => {
  const session = currentSession(model)
  const comments = session?.review.comments ?? []
  if (session === undefined || comments.length === 0)
    return fail(model, "there are no comments; c in the changes pane begins one")
  const without = withSession(model, session.id, (each) => reviewed(each, { comments: [] }))
  switch (argument) {
    case "":
      return withoutCommands(openOverlay(model, { _tag: "Listing", title: "comments", lines: comments.map(listed), top: 0 }))
    case "send":
      return withCommands(notify(without, `sent ${plural(comments.length, "comment")}`), {
        _tag: "Submit",
        session: session.id,
        text: commentsText(comments),
        priority: "next"
      })
    case "clear":
      return withoutCommands(notify(without, `forgot ${plural(comments.length, "comment")}`))
    default:
      return fail(model, "E488: :comments, :comments send or :comments clear")
  }
}
