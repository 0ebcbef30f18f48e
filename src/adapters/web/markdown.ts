import type TurndownService from "turndown"

/** HTML as Markdown without what a reader would not see. */
const UNSEEN = ["script", "style", "noscript", "template", "iframe", "svg", "head", "object", "canvas"] as const

/** Conversion takes about a second per million characters, and far less text is kept anyway. */
const HTML_CHARS = 500_000

/** As much of an element as matters here; the types of the DOM are not loaded. */
interface Element {
  readonly nodeName: string
  readonly hasAttribute: (name: string) => boolean
  readonly getAttribute: (name: string) => string | null
}

const isUnseen = (element: Element): boolean =>
  UNSEEN.some((name) => name === element.nodeName.toLowerCase()) ||
  element.hasAttribute("hidden") ||
  element.getAttribute("aria-hidden") === "true" ||
  /display\s*:\s*none|visibility\s*:\s*hidden/i.test(element.getAttribute("style") ?? "")

const endOf = (html: string, opening: string, from: number): number => {
  const closesItself = /[^<>]*\/>/y
  closesItself.lastIndex = from
  if (opening !== "<!--" && closesItself.test(html)) return closesItself.lastIndex
  const closing = opening === "<!--" ? /-->/g : new RegExp(`</${opening.slice(1)}\\b[^<>]*>`, "gi")
  closing.lastIndex = from
  return closing.exec(html) === null ? html.length : closing.lastIndex
}

/**
 * Most of a page's bytes are code and comments; they need not be parsed to be left out. One pass: what is not closed
 * reaches to the end, so that a hostile page cannot make the search start over again and again.
 */
const withoutUnseen = (html: string): string => {
  const opening = new RegExp(`<!--|<(?:${UNSEEN.join("|")})(?=[\\s/>])`, "gi")
  const kept: Array<string> = []
  let from = 0
  for (let found = opening.exec(html); found !== null; found = opening.exec(html)) {
    kept.push(html.slice(from, found.index))
    from = endOf(html, found[0], opening.lastIndex)
    opening.lastIndex = from
  }
  return [...kept, html.slice(from)].join("").slice(0, HTML_CHARS)
}

/** Elements without content, and those that the next of their kind closes. */
const FLAT = new Set(
  ["area base br col embed hr img input link meta source track wbr", "p li dt dd tr td th thead tbody tfoot option"].flatMap(
    (names) => names.split(" ")
  )
)
const MAX_DEPTH = 256

/** Parsing takes quadratic time in the depth; no page for people is nested like that. */
const isTooDeep = (html: string): boolean => {
  let depth = 0
  for (const [, closing, name = ""] of html.matchAll(/<(\/?)([a-z][\w-]*)/gi)) {
    if (FLAT.has(name.toLowerCase())) continue
    depth = closing === "" ? depth + 1 : Math.max(0, depth - 1)
    if (depth > MAX_DEPTH) return true
  }
  return false
}

const converter = async (): Promise<TurndownService> => {
  const { default: Turndown } = await import("turndown")
  const service = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-", hr: "---" })
  // A rule, because `remove` is asked only after the rules for paragraphs, lists and the like.
  return service.addRule("unseen", { filter: (element: Element) => isUnseen(element), replacement: () => "" })
}

let loading: Promise<TurndownService> | undefined

/** Text between tags, for a page that is nested too deeply to be converted. */
const withoutTags = (html: string): string =>
  html
    .replace(/<[^<>]*>/g, " ")
    .replace(/[ \t]+/g, " ")
    .replace(/\n\s*\n+/g, "\n\n")

export const markdownOf = async (html: string): Promise<string> => {
  const source = withoutUnseen(html)
  if (isTooDeep(source)) return withoutTags(source).trim()
  loading ??= converter()
  const turndown = await loading
  return turndown.turndown(source).trim()
}
