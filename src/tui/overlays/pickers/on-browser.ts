import { fieldOf, updateField } from "../../editor/field.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { browserItems, sessionOfItem, tagsOf } from "./session-browser.ts"
import { type PickerOverlay, type Browser, type BrowserLine, NEW_BROWSER, pickerWith } from "../../model/overlay.ts"
import { type PickerItem, selectedItem } from "./picker.ts"
import { isEmptyEditor } from "../../prompt/editor.ts"
import { andThen, doing, notify, only, type Update } from "../../model/update-result.ts"
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
  return doing(openOverlay(model, overlay), { _tag: "ListSessions" })
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
  if (model.sessions.has(sessionId)) return only(showSession(model, sessionId))
  if (stored !== undefined && !stored.isNear) {
    const command = `cd ${quoted(stored.cwd)} && nacre --resume ${sessionId}`
    const noted = notify(model, `that session belongs to another directory: ${command}`, { timeoutMs: 12_000 })
    return doing(noted, { _tag: "Copy", text: command, what: "the command" })
  }
  const placed = split === undefined ? model : { ...model, layout: { ...model.layout, splitNext: split } }
  const replaces = split === undefined ? emptySession(model) : undefined
  return doing(placed, { _tag: "OpenSession", which: { _tag: "Resume", sessionId }, replaces })
}

/** Opens what is chosen; a hit of the search is gone to as soon as the session is there. */
export const acceptSession = (model: AppModel, overlay: PickerOverlay, id: string): Update => {
  const sessionId = sessionOfItem(id)
  const { deep } = overlay.browser
  const opened = openStored(closeOverlay(model), sessionId, undefined)
  return deep === undefined ? opened : andThen(opened, (next) => only(findInSession(next, sessionId, deep.query)))
}

const startDeep = (model: AppModel, overlay: PickerOverlay, query: string): Update => {
  const request = (overlay.browser.deep?.request ?? 0) + 1
  const deep = { query, request, hits: [], searched: 0, total: model.stored.length, isDone: false }
  const searching = withBrowser(
    model,
    { ...overlay, picker: pickerWith(false) },
    { typing: undefined, deep, preview: undefined }
  )
  return doing(searching, { _tag: "SearchSessions", query, request })
}

/** The browser with a line to type what is searched for; with words, the search itself. */
export const openDeepSearch = (model: AppModel, query: string): Update =>
  andThen(openBrowser(model), (next) => {
    const { opened } = next.overlays
    if (opened?._tag !== "Picker") return only(next)
    if (query !== "") return startDeep(next, opened, query)
    return only(withBrowser(next, opened, { typing: { kind: "deep", ...fieldOf("") } }))
  })

const rename = (model: AppModel, overlay: PickerOverlay, line: Extract<BrowserLine, { kind: "rename" }>): Update => {
  const title = line.text.trim()
  if (title === "") return only(notify(model, "a name needs at least one character", { style: "warning" }))
  const stored = model.stored.map((each) => (each.sessionId === line.id ? { ...each, title } : each))
  const named = withBrowser({ ...model, stored }, overlay, { typing: undefined })
  return doing(named, { _tag: "Rename", session: line.id, title })
}

export const onBrowserLine = (
  model: AppModel,
  overlay: PickerOverlay,
  at: { readonly line: BrowserLine; readonly stroke: Stroke }
): Update => {
  const { line, stroke } = at
  if (stroke === "<Esc>") return only(withBrowser(model, overlay, { typing: undefined }))
  if (stroke === "<CR>") {
    if (line.kind === "rename") return rename(model, overlay, line)
    return line.text.trim() === ""
      ? only(withBrowser(model, overlay, { typing: undefined }))
      : startDeep(model, overlay, line.text.trim())
  }
  const field = updateField(line, stroke)
  return only(field === undefined ? model : withBrowser(model, overlay, { typing: { ...line, ...field } }))
}

const askToDelete = (model: AppModel, overlay: PickerOverlay, stored: StoredSession): Update => {
  if (model.sessions.has(stored.sessionId)) {
    return only(notify(model, "that session is open here; close it first", { style: "warning" }))
  }
  if (stored.isLive) return only(notify(model, "that session is open in another process", { style: "warning" }))
  const deleted = [...overlay.browser.deleted, stored]
  const back = { ...overlay, browser: { ...overlay.browser, deleted, preview: undefined } }
  const words = {
    question: `Delete "${stored.title}"? It goes to the trash and is kept there for 30 days; u brings it back.`,
    yes: "Delete it",
    no: "Keep it"
  }
  return only(openOverlay(model, confirmOverlay({ _tag: "DeleteSession", stored, without: overlay }, words, back)))
}

/** Brings back what was deleted last. */
const undelete = (model: AppModel, overlay: PickerOverlay): Update => {
  const last = overlay.browser.deleted.at(-1)
  if (last === undefined) return only(notify(model, "nothing was deleted here"))
  const stored = [...model.stored, last].toSorted((a, b) => b.modifiedAt - a.modifiedAt)
  const back = withBrowser({ ...model, stored }, overlay, { deleted: overlay.browser.deleted.slice(0, -1) })
  return doing(back, { _tag: "RestoreSession", sessionId: last.sessionId })
}

const SCOPES: Readonly<Record<string, Browser["scope"]>> = { a: "all", "<C-a>": "all", b: "branch", "<C-b>": "branch" }
const SPLITS: Readonly<Record<string, "row" | "column">> = { "<C-v>": "row", "<C-s>": "column" }
const PREVIEW_STEPS: Readonly<Record<string, number>> = { J: -1, K: 1 }

const nextTag = (model: AppModel, { tag, ...browser }: Browser): string | undefined => {
  const tags = tagsOf(model, { ...browser, tag })
  return tags[tag === undefined ? 0 : tags.indexOf(tag) + 1]
}

/** Keys that need no session under the cursor. */
const onBrowserAction = (model: AppModel, overlay: PickerOverlay, stroke: Stroke): Update | undefined => {
  const { browser } = overlay
  if (browser.colon) {
    const typing = stroke === "f" ? { kind: "deep" as const, ...fieldOf("") } : undefined
    return only(withBrowser(model, overlay, { colon: false, typing }))
  }
  const scope = SCOPES[stroke]
  if (scope !== undefined) {
    return only(withBrowser(model, overlay, { scope: browser.scope === scope ? "project" : scope, preview: undefined }))
  }
  const step = PREVIEW_STEPS[stroke]
  if (step !== undefined && browser.preview !== undefined) {
    const top = Math.max(0, Math.min(browser.preview.top + step, browser.preview.lines.length - 1))
    return only(withBrowser(model, overlay, { preview: { ...browser.preview, top } }))
  }
  switch (stroke) {
    case ":":
      return only(withBrowser(model, overlay, { colon: true }))
    case "<Tab>":
      return only(withBrowser(model, overlay, { tag: nextTag(model, browser) }))
    case "s":
      return only(withBrowser(model, overlay, { showsHeadless: !browser.showsHeadless, preview: undefined }))
    case "o":
      return only(withBrowser(model, overlay, { isLiveOnly: !browser.isLiveOnly, preview: undefined }))
    case "u":
      return undelete(model, overlay)
    default:
      return undefined
  }
}

const withForks = ({ expanded }: Browser, id: string, isOpen: boolean): Partial<Browser> => {
  const next = new Set(expanded)
  if (isOpen) next.add(id)
  else next.delete(id)
  return { expanded: next }
}

const onSession = (
  model: AppModel,
  overlay: PickerOverlay,
  at: { readonly stroke: Stroke; readonly id: string }
): Update => {
  const { stroke, id } = at
  const stored = storedOf(model, id)
  const split = SPLITS[stroke]
  if (split !== undefined) return openStored(closeOverlay(model), id, split)
  switch (stroke) {
    case "p":
    case " ":
    case "<Space>":
      if (overlay.browser.preview !== undefined) return only(withBrowser(model, overlay, { preview: undefined }))
      return doing(openOverlay(model, overlay), { _tag: "PreviewSession", sessionId: id })
    case "y":
      return doing(openOverlay(model, overlay), { _tag: "Copy", text: id, what: "the session id" })
    case "e":
      return doing(openOverlay(model, overlay), { _tag: "ExportSession", sessionId: id, title: stored?.title ?? "" })
    case "r":
    case "<C-r>":
      return only(withBrowser(model, overlay, { typing: { kind: "rename", id, ...fieldOf(stored?.title ?? "") } }))
    case "D":
      return stored === undefined ? only(model) : askToDelete(model, overlay, stored)
    case "<Right>":
    case "<Left>":
      return only(withBrowser(model, overlay, withForks(overlay.browser, id, stroke === "<Right>")))
    default:
      return only(openOverlay(model, overlay))
  }
}

/** A key that the list itself has no meaning for. */
export const onBrowserKey = (model: AppModel, overlay: PickerOverlay, stroke: Stroke): Update => {
  const done = onBrowserAction(model, overlay, stroke)
  if (done !== undefined) return done
  const item: PickerItem | undefined = selectedItem(browserItems(model, overlay), overlay.picker)
  return item === undefined
    ? only(openOverlay(model, overlay))
    : onSession(model, overlay, { stroke, id: sessionOfItem(item.id) })
}

/** Escape leaves the hits for the list, and the list for what was before. */
export const leaveBrowser = (model: AppModel, overlay: PickerOverlay): Update => {
  if (overlay.browser.colon) return only(withBrowser(model, overlay, { colon: false }))
  if (overlay.browser.preview !== undefined) return only(withBrowser(model, overlay, { preview: undefined }))
  if (overlay.browser.deep === undefined) return only(closeOverlay(model))
  const left = withBrowser(model, { ...overlay, picker: pickerWith(false) }, { deep: undefined })
  return doing(left, { _tag: "StopSearching" })
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
