import { setAside } from "../../../core/permission/rules/set-aside.ts"
import { printRule, type Rule, sourceLabel } from "../../../core/permission/rule.ts"
import type { Verdict } from "../../../core/permission/verdict.ts"
import type { SessionModel } from "../../model/session-model.ts"
import { shortPath } from "../../text/short-path.ts"
import type { ToolBlock } from "../../transcript/block.ts"
import * as Vector from "../../transcript/vector.ts"
import type { PickerItem } from "./picker.ts"

/** What `/permissions` lists: what was refused lately, the rules by what they decide, and the directories. */

const MOST_REFUSALS = 10
const RECENT_ENTRIES = 200
const BEHAVIOURS: ReadonlyArray<Verdict> = ["deny", "ask", "allow"]

/** The newest refused calls first. */
export const refusedCalls = ({ transcript }: SessionModel): ReadonlyArray<ToolBlock> =>
  Vector.toArray(transcript.entries, Math.max(0, transcript.entries.length - RECENT_ENTRIES))
    .flatMap(({ blocks }) => blocks)
    .filter((block) => block.kind === "tool")
    .filter(({ state }) => state === "denied")
    .toReversed()
    .slice(0, MOST_REFUSALS)

const placeOf = ({ file, line }: Rule, cwd: string): string =>
  file === undefined ? "" : `${shortPath(file, cwd)}${line === undefined ? "" : `:${line}`}`

const callLine = ({ source }: ToolBlock): string => source.split("\n", 1)[0] ?? ""

/** Ids say what an item is: `call:ID`, `rule:INDEX` or `directory:PATH`. */
export const permissionItems = (session: SessionModel): ReadonlyArray<PickerItem> => {
  const { rules, workingDirs } = session.state.permission
  const aside = new Set(setAside(session.state.permission))
  const refusals = refusedCalls(session).map((block): PickerItem => ({
    id: `call:${block.callId}`,
    label: `${block.tool} ${callLine(block)}`,
    detail: block.denial ?? "",
    right: "",
    group: "refused lately"
  }))
  const listed = BEHAVIOURS.flatMap((behavior) =>
    rules.flatMap((rule, index): ReadonlyArray<PickerItem> =>
      rule.behavior === behavior
        ? [
            {
              id: `rule:${index}`,
              label: printRule(rule),
              detail: `${sourceLabel(rule.source)}${aside.has(rule) ? ", set aside in auto mode" : ""}`,
              right: placeOf(rule, session.cwd),
              group: behavior
            }
          ]
        : []
    )
  )
  const directories = workingDirs.map(({ path }): PickerItem => ({
    id: `directory:${path}`,
    label: path,
    detail: "",
    right: "",
    group: "working directories"
  }))
  return [...refusals, ...listed, ...directories]
}
