import { secondsText } from "../../transcript/number-format.ts"
import { stateGlyph } from "../../transcript/rows/glyphs.ts"
import type { CallState } from "../../transcript/block.ts"
import { type Activity, activities } from "../../transcript/entries/select.ts"
import type { Look, Row } from "../../screen/style/row.ts"
import { plainRows } from "../../text/rows.ts"
import { sanitize } from "../../text/sanitize.ts"
import { lineRow } from "../../text/line-rows.ts"
import type { SessionModel } from "../../model/session-model.ts"
import { type Item, NEW_LIST, rowItem } from "../../model/list-state.ts"
import type { PaneScene } from "../../model/windows/pane-context.ts"
import { shortRow } from "../list/short-row.ts"
import { sizeText } from "../list/size-text.ts"

/** Running and recent tool calls, one row each; the selected one shows the end of what it prints while it runs. */

const MOST = 200
const STATE_LOOKS: Readonly<Record<CallState, Look>> = {
  queued: { role: "subtle" },
  checking: { role: "subtle" },
  asking: { role: "warning", bold: true },
  running: { role: "claude" },
  ok: { role: "success" },
  failed: { role: "error" },
  cancelled: { role: "inactive" },
  denied: { role: "inactive" }
}
const NAME: Look = { role: "text", bold: true }
const ARGUMENT: Look = { role: "text" }
const QUIET: Look = { role: "subtle" }

const elapsed = ({ startedAt, endedAt }: Activity, now: number): string =>
  startedAt === undefined ? "" : secondsText((endedAt ?? now) - startedAt)

/** The first line of the call without its name, paths as they are seen from the session's directory. */
const argumentOf = ({ text, tool }: Activity, cwd: string): string =>
  (text.split("\n", 1)[0] ?? "").replace(`${tool} `, "").replaceAll(`${cwd}/`, "")

/** Where there is room the figures stand in columns. */
const COLUMNS_FROM = 50
const TIME_COLUMNS = 7
const SIZE_COLUMNS = 9

const figures = (time: string, size: string, width: number): string =>
  width < COLUMNS_FROM
    ? [time, size].filter((part) => part !== "").join(" ")
    : `${time.padStart(TIME_COLUMNS)}${size.padStart(SIZE_COLUMNS)}`

const headRow = (activity: Activity, scene: PaneScene): Row => {
  const { width, now, options, spinner } = scene
  const right = figures(elapsed(activity, now), sizeText(activity.size), width)
  const room = Math.max(1, width - right.length - 1)
  const left = shortRow(
    [
      { text: `${stateGlyph(activity.state, { glyphs: options.glyphs, spinner })} `, look: STATE_LOOKS[activity.state] },
      { text: `${activity.tool} `, look: NAME },
      ...sanitize(argumentOf(activity, scene.session.cwd), "command", { look: ARGUMENT })
    ],
    room
  )
  return lineRow(
    [
      ...left.spans,
      { text: " ".repeat(Math.max(1, width - left.width - right.length)), look: QUIET },
      { text: right, look: QUIET }
    ],
    width
  )
}

const tailRows = ({ block }: Activity, { width, height }: PaneScene): ReadonlyArray<Row> => {
  const result = block.parts?.find(({ name }) => name === "result")
  if (result === undefined) return []
  const most = Math.max(1, Math.floor(height / 3))
  const text = block.source.slice(result.start, result.end).trimEnd()
  const margin = { first: [{ text: "  ", look: QUIET }], rest: [{ text: "  ", look: QUIET }] }
  return plainRows(text.split("\n").slice(-most).join("\n"), {
    kind: "output",
    look: QUIET,
    width,
    margin,
    scroll: 0
  }).slice(-most)
}

/** Newest first. */
export const activitiesOf = ({ transcript }: SessionModel): ReadonlyArray<Activity> =>
  activities(transcript, MOST).toReversed()

/** The call under the cursor. */
export const selectedActivity = (session: SessionModel): Activity | undefined => {
  const all = activitiesOf(session)
  const list = session.lists.activity ?? NEW_LIST
  return all.find(({ callId }) => callId === list.cursor) ?? all[Math.min(list.place, all.length - 1)]
}

export const activityItems = (scene: PaneScene): ReadonlyArray<Item> => {
  const selected = selectedActivity(scene.session)?.callId
  return activitiesOf(scene.session).map((activity) => {
    const {
      callId: id,
      block: { source }
    } = activity
    return activity.state === "running" && id === selected
      ? { id, rows: [headRow(activity, scene), ...tailRows(activity, scene)], source }
      : rowItem({ id, text: source }, { row: () => headRow(activity, scene), source: () => source })
  })
}
