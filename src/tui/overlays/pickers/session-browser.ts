import type { Hint } from "../../keymap/hint.ts"
import { type AppModel, currentSession } from "../../model/app-model.ts"
import type { StoredSession } from "../../model/msg.ts"
import { shortPath } from "../../text/short-path.ts"
import type { Row } from "../../screen/style/row.ts"
import { countText } from "../../../core/domain/text/count-text.ts"
import { plural } from "../../transcript/number-format.ts"
import { fieldRow, textRows } from "../../text/line-rows.ts"
import type { PickerOverlay, Browser, DeepSearch, BrowserLine } from "../../model/overlay.ts"
import type { PickerItem } from "./picker.ts"

/** The session browser: stored sessions with filters, forks, a preview and a search in all their text. */
/** The sessions that scope, tag and kinds leave, newest first. */
const inScope = (model: AppModel, { isLiveOnly, scope, showsHeadless, tag }: Browser): ReadonlyArray<StoredSession> => {
  const here = currentSession(model)
  return model.stored
    .filter(({ isHeadless }) => showsHeadless || !isHeadless)
    .filter(({ isLive, sessionId }) => !isLiveOnly || isLive || model.sessions.has(sessionId))
    .filter((stored) => scope === "all" || stored.isNear)
    .filter((stored) => scope !== "branch" || stored.branch === here?.branch)
    .filter((stored) => tag === undefined || stored.tag === tag)
}

/** Tags of what is listed, in order; what Tab goes through. */
export const tagsOf = (model: AppModel, browser: Browser): ReadonlyArray<string> => {
  const all = inScope(model, { ...browser, tag: undefined })
  return [...new Set(all.flatMap(({ tag }) => tag ?? []))].toSorted((a, b) => a.localeCompare(b))
}

/** The oldest ancestor that is listed too. */
const rootOf = (stored: StoredSession, byId: ReadonlyMap<string, StoredSession>): string => {
  const seen = new Set<string>()
  let root = stored
  while (root.forkOf !== undefined && !seen.has(root.sessionId)) {
    seen.add(root.sessionId)
    const parent = byId.get(root.forkOf)
    if (parent === undefined) break
    root = parent
  }
  return root.sessionId
}

const UNITS: ReadonlyArray<readonly [unit: string, ms: number]> = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000]
]

/** One unit is enough to find a session by. */
const ageText = (ms: number): string => {
  const [unit, length] = UNITS.find(([, each]) => ms >= each) ?? ["s", 1_000]
  return `${Math.max(0, Math.floor(ms / length))}${unit} ago`
}

const stateOf = (model: AppModel, { sessionId, isLive, isInterrupted }: StoredSession): string => {
  if (model.sessions.has(sessionId)) return "open here"
  if (isLive) return "open elsewhere"
  return isInterrupted ? "interrupted" : ""
}

const joined = (parts: ReadonlyArray<string | undefined>): string =>
  parts.filter((part) => part !== undefined && part !== "").join(" · ")

interface Place {
  readonly forks: number
  readonly isFork: boolean
}

const itemOf = (
  model: AppModel,
  stored: StoredSession,
  { scope, expanded }: Browser,
  { forks, isFork }: Place
): PickerItem => {
  const cwd = currentSession(model)?.cwd ?? ""
  const place = scope === "all" || stored.cwd !== cwd ? shortPath(stored.cwd, cwd) : ""
  const hidden = forks > 0 && !expanded.has(stored.sessionId) ? `+${plural(forks, "fork")}` : ""
  const tag = stored.tag === undefined ? "" : `#${stored.tag}`
  return {
    id: stored.sessionId,
    label: isFork ? `└ ${stored.title}` : stored.title,
    detail: joined([tag, stored.branch, place, hidden]),
    right: joined([
      stateOf(model, stored),
      stored.isHeadless ? "-p" : "",
      ageText(model.now - stored.modifiedAt),
      `${countText(stored.sizeBytes)}B`
    ]),
    marked: model.sessions.has(stored.sessionId),
    also: () => [stored.sessionId, stored.firstPrompt, stored.lastPrompt, stored.cwd, ...stored.prLinks].join("\n")
  }
}

/** Forks stand under their root while it is open; a filter looks at all of them. */
const storedItems = (model: AppModel, { browser, picker }: PickerOverlay): ReadonlyArray<PickerItem> => {
  const listed = inScope(model, browser)
  const byId = new Map(listed.map((stored) => [stored.sessionId, stored]))
  const forks = new Map<string, ReadonlyArray<StoredSession>>()
  for (const stored of listed) {
    const root = rootOf(stored, byId)
    if (root !== stored.sessionId) forks.set(root, [...(forks.get(root) ?? []), stored])
  }
  const isFlat = picker.filter.text !== ""
  return listed.flatMap((stored) => {
    const isFork = rootOf(stored, byId) !== stored.sessionId
    if (isFlat) return [itemOf(model, stored, browser, { forks: 0, isFork: false })]
    if (isFork) return []
    const own = forks.get(stored.sessionId) ?? []
    const head = itemOf(model, stored, browser, { forks: own.length, isFork: false })
    const rest = browser.expanded.has(stored.sessionId) ? own : []
    return [head, ...rest.map((fork) => itemOf(model, fork, browser, { forks: 0, isFork: true }))]
  })
}

const HIT = "hit:"

const hitItems = (model: AppModel, { hits }: DeepSearch): ReadonlyArray<PickerItem> =>
  hits.map(({ sessionId, title, role, snippet, at }, index) => ({
    id: `${HIT}${index}:${sessionId}`,
    label: snippet,
    detail: role,
    right: at === undefined ? "" : ageText(model.now - at),
    group: title
  }))

/** The session that an item stands for. */
export const sessionOfItem = (id: string): string => (id.startsWith(HIT) ? (id.split(":")[2] ?? "") : id)

export const browserItems = (model: AppModel, overlay: PickerOverlay): ReadonlyArray<PickerItem> =>
  overlay.browser.deep === undefined ? storedItems(model, overlay) : hitItems(model, overlay.browser.deep)

const SCOPES = { project: "this project", all: "all projects", branch: "this branch" } as const

export const browserTitle = (model: AppModel, { browser }: PickerOverlay): string => {
  const { deep, scope, tag } = browser
  if (deep !== undefined) {
    const progress = deep.isDone ? `${deep.searched} searched` : `${deep.searched} of ${deep.total} searched`
    return `Sessions: ${plural(deep.hits.length, "hit")} for ${deep.query} · ${progress}`
  }
  if (browser.isReading && model.stored.length === 0) return "Sessions"
  const tags = tagsOf(model, browser).length === 0 ? "" : tag === undefined ? " · all tags" : ` · #${tag}`
  const kinds = `${browser.isLiveOnly ? " · open ones" : ""}${browser.showsHeadless ? " · with runs of -p" : ""}`
  return `Sessions: ${inScope(model, browser).length} of ${SCOPES[scope]}${tags}${kinds}`
}

/** What an empty list says. */
export const emptyWords = (model: AppModel, { browser, picker }: PickerOverlay): string => {
  if (browser.isReading) return "reading the sessions …"
  if (browser.deep !== undefined) return browser.deep.isDone ? "nothing found" : "searching …"
  if (picker.filter.text !== "" || inScope(model, browser).length > 0) return "nothing matches"
  const hasRuns = !browser.showsHeadless && inScope(model, { ...browser, showsHeadless: true }).length > 0
  return hasRuns ? "there are only runs of -p; s shows them" : "there is none yet"
}

export const BROWSER_HINT: ReadonlyArray<Hint> = [
  ["sessions:open", "open"],
  ["sessions:filter", "filter"],
  ["sessions:deepSearch", "search text"],
  ["sessions:preview", "preview"],
  ["sessions:delete", "delete"],
  ["sessions:rename", "rename"],
  ["sessions:export", "export"],
  ["sessions:allProjects", "all"],
  ["sessions:currentBranch", "branch"],
  ["sessions:headless", "runs of -p"],
  ["sessions:liveOnly", "open ones"],
  ["sessions:tags", "tags"],
  ["sessions:copyId", "id"]
]

export const HITS_HINT: ReadonlyArray<Hint> = [
  ["sessions:open", "open there"],
  ["sessions:preview", "preview"],
  ["select:cancel", "back to the list"]
]

const PREVIEW_ROWS = 12

const LABELS = { rename: "new name:", deep: "search in the text of all sessions:" } as const

export const lineLabel = ({ kind }: BrowserLine): string => LABELS[kind]

/** The preview, and the line that is being typed. */
export const browserFoot = ({ size }: AppModel, { preview, typing }: Browser, width: number): ReadonlyArray<Row> => {
  const most = Math.min(PREVIEW_ROWS, Math.floor(size.rows / 3))
  const rows = preview?.lines.flatMap((line) => textRows(line, width, { role: "subtle" }, "output")) ?? []
  const end = Math.max(0, rows.length - (preview?.top ?? 0))
  return [
    ...rows.slice(Math.max(0, end - most), end),
    ...(typing === undefined ? [] : [fieldRow(lineLabel(typing), typing, width).row])
  ]
}
