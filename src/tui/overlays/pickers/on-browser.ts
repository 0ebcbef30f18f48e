import type { IdsOf, OverlayActionId } from "../../keymap/actions/action-tables.ts"
import type { AtPicker, Accept, PickerSpec } from "./picker-spec.ts"
import { type Handler, type Handlers, NO_PRESS } from "../../model/action.ts"
import { fieldOf } from "../../editor/field.ts"
import {
  browserItems,
  sessionOfItem,
  tagsOf,
  browserTitle,
  BROWSER_HINT,
  HITS_HINT,
  browserFoot,
  emptyWords
} from "./session-browser.ts"
import { type PickerOverlay, type Browser, type BrowserLine, NEW_BROWSER, pickerWith } from "../../model/overlay.ts"
import { isEmptyEditor } from "../../prompt/editor.ts"
import { andThen, withCommands, notify, withoutCommands, type Update } from "../../model/update-result.ts"
import { confirmOverlay } from "../../model/confirm.ts"
import { findInSession } from "./find-in-session.ts"
import { type AppModel, currentSession } from "../../model/app-model.ts"
import type { StoredSession } from "../../model/msg.ts"
import { closeOverlay, openOverlay } from "../../model/open-overlay.ts"
import { showSession } from "../../model/windows/show-session.ts"

/** The keys of the session browser besides those of every list. */

export const openBrowser = (model: AppModel): Update => {
  const browser = { ...NEW_BROWSER, isReading: true }
  const overlay: PickerOverlay = { _tag: "Picker", purpose: "sessions", picker: pickerWith(false), subject: "", browser }
  return withCommands(openOverlay(model, overlay), { _tag: "ListSessions" })
}

export const sessionsListed = (model: AppModel, stored: ReadonlyArray<StoredSession>): AppModel => {
  const { opened } = model.overlays
  const listed = { ...model, stored }
  return opened?._tag === "Picker" && opened.browser.isReading ? withBrowser(listed, opened, { isReading: false }) : listed
}

const withBrowser = (model: AppModel, overlay: PickerOverlay, change: Partial<Browser>): AppModel =>
  openOverlay(model, { ...overlay, browser: { ...overlay.browser, ...change } })

/** A session in which nothing was said makes room for the one that is opened. */
export const emptySession = (model: AppModel): string | undefined => {
  const session = currentSession(model)
  const isEmpty =
    session !== undefined && session.state.conversation.messages.length === 0 && isEmptyEditor(session.prompt.editor)
  return isEmpty ? session.id : undefined
}

const storedOf = (model: AppModel, sessionId: string): StoredSession | undefined =>
  model.stored.find((each) => each.sessionId === sessionId)

const quoted = (path: string): string => (/^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

const openStored = (model: AppModel, sessionId: string, split: "row" | "column" | undefined): Update => {
  const stored = storedOf(model, sessionId)
  if (model.sessions.has(sessionId)) return withoutCommands(showSession(model, sessionId))
  if (stored !== undefined && !stored.isNear) {
    const command = `cd ${quoted(stored.cwd)} && nacre --resume ${sessionId}`
    const noted = notify(model, `that session belongs to another directory: ${command}`, { timeoutMs: 12_000 })
    return withCommands(noted, { _tag: "Copy", text: command, what: "the command" })
  }
  const placed = split === undefined ? model : { ...model, layout: { ...model.layout, splitNext: split } }
  const replaces = split === undefined ? emptySession(model) : undefined
  return withCommands(placed, { _tag: "OpenSession", which: { _tag: "Resume", sessionId }, replaces })
}

/** Opens what is chosen; a hit of the search is gone to as soon as the session is there. */
const acceptSession = (model: AppModel, overlay: PickerOverlay, id: string): Update => {
  const sessionId = sessionOfItem(id)
  const { deep } = overlay.browser
  const opened = openStored(closeOverlay(model), sessionId, undefined)
  return deep === undefined ? opened : andThen(opened, (next) => withoutCommands(findInSession(next, sessionId, deep.query)))
}

const startDeep = (model: AppModel, overlay: PickerOverlay, query: string): Update => {
  const request = (overlay.browser.deep?.request ?? 0) + 1
  const deep = { query, request, hits: [], searched: 0, total: model.stored.length, isDone: false }
  const searching = withBrowser(
    model,
    { ...overlay, picker: pickerWith(false) },
    { typing: undefined, deep, preview: undefined }
  )
  return withCommands(searching, { _tag: "SearchSessions", query, request })
}

/** The browser with a line to type what is searched for; with words, the search itself. */
export const openDeepSearch = (model: AppModel, query: string): Update =>
  andThen(openBrowser(model), (next) => {
    const { opened } = next.overlays
    if (opened?._tag !== "Picker") return withoutCommands(next)
    if (query !== "") return startDeep(next, opened, query)
    return withoutCommands(withBrowser(next, opened, { typing: { kind: "deep", ...fieldOf("") } }))
  })

const rename = (model: AppModel, overlay: PickerOverlay, line: Extract<BrowserLine, { kind: "rename" }>): Update => {
  const title = line.text.trim()
  if (title === "") return withoutCommands(notify(model, "a name needs at least one character", { style: "warning" }))
  const stored = model.stored.map((each) => (each.sessionId === line.id ? { ...each, title } : each))
  const named = withBrowser({ ...model, stored }, overlay, { typing: undefined })
  return withCommands(named, { _tag: "Rename", session: line.id, title })
}

/** Enter on the line that is typed. */
const acceptLine = (model: AppModel, overlay: PickerOverlay, line: BrowserLine): Update => {
  if (line.kind === "rename") return rename(model, overlay, line)
  return line.text.trim() === ""
    ? withoutCommands(withBrowser(model, overlay, { typing: undefined }))
    : startDeep(model, overlay, line.text.trim())
}

const askToDelete = (model: AppModel, overlay: PickerOverlay, stored: StoredSession): Update => {
  if (model.sessions.has(stored.sessionId)) {
    return withoutCommands(notify(model, "that session is open here; close it first", { style: "warning" }))
  }
  if (stored.isLive) return withoutCommands(notify(model, "that session is open in another process", { style: "warning" }))
  const deleted = [...overlay.browser.deleted, stored]
  const back = { ...overlay, browser: { ...overlay.browser, deleted, preview: undefined } }
  const words = {
    question: `Delete "${stored.title}"? It goes to the trash and is kept there for 30 days; u brings it back.`,
    yes: "Delete it",
    no: "Keep it"
  }
  return withoutCommands(
    openOverlay(model, confirmOverlay({ _tag: "DeleteSession", stored, without: overlay }, words, back))
  )
}

/** Brings back what was deleted last. */
const undelete = (model: AppModel, overlay: PickerOverlay): Update => {
  const last = overlay.browser.deleted.at(-1)
  if (last === undefined) return withoutCommands(notify(model, "nothing was deleted here"))
  const stored = [...model.stored, last].toSorted((a, b) => b.modifiedAt - a.modifiedAt)
  const back = withBrowser({ ...model, stored }, overlay, { deleted: overlay.browser.deleted.slice(0, -1) })
  return withCommands(back, { _tag: "RestoreSession", sessionId: last.sessionId })
}

const nextTag = (model: AppModel, { tag, ...browser }: Browser): string | undefined => {
  const tags = tagsOf(model, { ...browser, tag })
  return tags[tag === undefined ? 0 : tags.indexOf(tag) + 1]
}

type InBrowser = Handler<AtPicker>

const changing =
  (change: (browser: Browser, model: AppModel) => Partial<Browser>): InBrowser =>
  ({ model, overlay }) =>
    withoutCommands(withBrowser(model, overlay, change(overlay.browser, model)))

/** Again: this project, as at first. */
const scoped = (scope: Browser["scope"]): InBrowser =>
  changing((browser) => ({ scope: browser.scope === scope ? "project" : scope, preview: undefined }))

const scrollPreview =
  (by: 1 | -1): InBrowser =>
  ({ model, overlay }) => {
    const { preview } = overlay.browser
    if (preview === undefined) return undefined
    const top = Math.max(0, Math.min(preview.top + by, preview.lines.length - 1))
    return withoutCommands(withBrowser(model, overlay, { preview: { ...preview, top } }))
  }

const onSession =
  (act: (at: AtPicker & { readonly id: string; readonly stored: StoredSession | undefined }) => Update): InBrowser =>
  (at) => {
    if (at.item === undefined) return undefined
    const id = sessionOfItem(at.item.id)
    return act({ ...at, id, stored: storedOf(at.model, id) })
  }

const opensBeside = (split: "row" | "column"): InBrowser =>
  onSession(({ model, id }) => openStored(closeOverlay(model), id, split))

const withForks = (isOpen: boolean): InBrowser =>
  onSession(({ model, overlay, id }) => {
    const expanded = new Set(overlay.browser.expanded)
    if (isOpen) expanded.add(id)
    else expanded.delete(id)
    return withoutCommands(withBrowser(model, overlay, { expanded }))
  })

const togglePreview: InBrowser = onSession(({ model, overlay, id }) =>
  overlay.browser.preview === undefined
    ? withCommands(model, { _tag: "PreviewSession", sessionId: id })
    : withoutCommands(withBrowser(model, overlay, { preview: undefined }))
)

const accept: Accept = (model, overlay, { id }) => acceptSession(model, overlay, id)

const HANDLERS: Handlers<Exclude<IdsOf<"Sessions">, "sessions:filter" | "sessions:open">, AtPicker> = {
  "sessions:openVertical": opensBeside("row"),
  "sessions:openHorizontal": opensBeside("column"),
  "sessions:allProjects": scoped("all"),
  "sessions:currentBranch": scoped("branch"),
  "sessions:headless": changing(({ showsHeadless }) => ({ showsHeadless: !showsHeadless, preview: undefined })),
  "sessions:liveOnly": changing(({ isLiveOnly }) => ({ isLiveOnly: !isLiveOnly, preview: undefined })),
  "sessions:deepSearch": changing(() => ({ typing: { kind: "deep", ...fieldOf("") } })),
  "sessions:tags": changing((browser, model) => ({ tag: nextTag(model, browser) })),
  "sessions:rename": onSession(({ model, overlay, id, stored }) =>
    withoutCommands(withBrowser(model, overlay, { typing: { kind: "rename", id, ...fieldOf(stored?.title ?? "") } }))
  ),
  "sessions:preview": togglePreview,
  "sessions:previewUp": scrollPreview(1),
  "sessions:previewDown": scrollPreview(-1),
  "sessions:expand": withForks(true),
  "sessions:collapse": withForks(false),
  "sessions:delete": onSession(({ model, overlay, stored }) =>
    stored === undefined ? withoutCommands(model) : askToDelete(model, overlay, stored)
  ),
  "sessions:undelete": ({ model, overlay }) => undelete(model, overlay),
  "sessions:export": onSession(({ model, id, stored }) =>
    withCommands(model, { _tag: "ExportSession", sessionId: id, title: stored?.title ?? "" })
  ),
  "sessions:copyId": onSession(({ model, id }) => withCommands(model, { _tag: "Copy", text: id, what: "the session id" }))
}

/** While a line is typed, letters are its text, and only Enter and Escape mean something else. */
const LINE_HANDLERS: Partial<Handlers<OverlayActionId, AtPicker & { readonly line: BrowserLine }>> = {
  "sessions:open": ({ model, overlay, line }) => acceptLine(model, overlay, line),
  "select:accept": ({ model, overlay, line }) => acceptLine(model, overlay, line),
  "select:cancel": ({ model, overlay }) => withoutCommands(withBrowser(model, overlay, { typing: undefined }))
}

export const onBrowserLine = (at: AtPicker, line: BrowserLine, id: OverlayActionId): Update | undefined =>
  LINE_HANDLERS[id]?.({ ...at, line }, NO_PRESS)

/** Escape leaves the hits for the list, and the list for what was before. */
const leaveBrowser = (model: AppModel, overlay: PickerOverlay): Update => {
  if (overlay.browser.preview !== undefined) return withoutCommands(withBrowser(model, overlay, { preview: undefined }))
  if (overlay.browser.deep === undefined) return withoutCommands(closeOverlay(model))
  const left = withBrowser(model, { ...overlay, picker: pickerWith(false) }, { deep: undefined })
  return withCommands(left, { _tag: "StopSearching" })
}

/** News of a search; those of one that was left are of no interest. */
export const sessionsSearched = (model: AppModel, found: NonNullable<Browser["deep"]>): AppModel => {
  const { opened } = model.overlays
  if (opened?._tag !== "Picker" || opened.browser.deep?.request !== found.request) return model
  return withBrowser(model, opened, { deep: found })
}

export const sessionPreviewed = (model: AppModel, lines: ReadonlyArray<string>): AppModel => {
  const { opened } = model.overlays
  return opened?._tag === "Picker" ? withBrowser(model, opened, { preview: { lines, top: 0 } }) : model
}

export const SESSIONS_PICKER: PickerSpec = {
  title: browserTitle,
  width: 120,
  context: "Sessions",
  hint: ({ browser }) => (browser.deep === undefined ? BROWSER_HINT : HITS_HINT),
  items: browserItems,
  accept,
  on: HANDLERS,
  cancelled: leaveBrowser,
  below: (model, { browser }, width) => browserFoot(model, browser, width),
  empty: emptyWords
}
