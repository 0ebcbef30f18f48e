import { restoreFocus } from "./layout-and-focus.ts"
import { notify } from "../update-result.ts"
import { type AppModel, NEW_LAYOUT, type TabPage } from "../app-model.ts"
import { showSession } from "./show-session.ts"

/** Tab pages: each holds an arrangement and the session that its prompt belongs to. */

const pageOf = ({ layout, focus, current }: AppModel): TabPage => ({ layout, focus, current })

/** The pages with the one on screen as it is now. */
const pagesOf = (model: AppModel): ReadonlyArray<TabPage> => model.tabs.with(model.tab, pageOf(model))

const turnTo = (model: AppModel, pages: ReadonlyArray<TabPage>, at: number): AppModel => {
  const page = pages[at]
  if (page === undefined) return model
  const { layout, focus, current } = page
  const turned = { ...model, tabs: pages, tab: at, layout, focus, visit: undefined }
  return restoreFocus(showSession(turned, model.sessions.has(current) ? current : model.current))
}

/** The next page, or the one at a count from one. */
export const nextTab = (model: AppModel, count: number | undefined): AppModel => {
  const at = count === undefined ? (model.tab + 1) % model.tabs.length : count - 1
  return model.tabs.length < 2
    ? notify(model, "there is one tab page; :tabnew opens another")
    : turnTo(model, pagesOf(model), at)
}

export const previousTab = (model: AppModel, count: number | undefined): AppModel => {
  const { length } = model.tabs
  return length < 2
    ? nextTab(model, undefined)
    : turnTo(model, pagesOf(model), (model.tab - ((count ?? 1) % length) + length) % length)
}

/** A page with the default arrangement; the session that opens next shows in it. */
export const newTab = (model: AppModel): AppModel => {
  const pages = [
    ...pagesOf(model).slice(0, model.tab + 1),
    { layout: NEW_LAYOUT, focus: "prompt", current: model.current },
    ...pagesOf(model).slice(model.tab + 1)
  ]
  return turnTo(model, pages, model.tab + 1)
}

/** Closes the page; what it showed goes on. */
export const closeTab = (model: AppModel): AppModel => {
  if (model.tabs.length < 2) return notify(model, "this is the only tab page; :q leaves")
  const pages = pagesOf(model).filter((_, at) => at !== model.tab)
  return turnTo({ ...model, tab: 0, tabs: pages }, pages, Math.min(model.tab, pages.length - 1))
}
