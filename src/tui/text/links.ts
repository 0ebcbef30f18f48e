/** Where links lead: only harmless schemes become links, and a label that says something else gets its target. */
import { visibleText } from "./sanitize.ts"

export interface Target {
  /** What the terminal may open; absent for other schemes, relative paths and files elsewhere. */
  readonly link?: string
  /** Shown in dim text behind the label; absent when the label says it already. */
  readonly note?: string
}

const WEB = new Set(["http:", "https:"])

const urlOf = (href: string): URL | undefined => (URL.canParse(href) ? new URL(href) : undefined)

const pathOf = (url: URL): string | undefined => {
  try {
    return decodeURIComponent(url.pathname)
  } catch {
    return undefined
  }
}

const isInside = (url: URL, workspace: string): boolean => {
  const path = pathOf(url)
  if (workspace === "" || url.host !== "" || path === undefined) return false
  return path === workspace || path.startsWith(`${workspace}/`)
}

const linkOf = (url: URL, workspace: string): string | undefined => {
  const isHarmless = WEB.has(url.protocol) || url.protocol === "mailto:"
  return isHarmless || (url.protocol === "file:" && isInside(url, workspace)) ? url.href : undefined
}

const bare = (address: string): string => address.replace(/^(?:https?:\/\/|mailto:)/i, "").replace(/\/$/, "")

const noteOf = (href: string, url: URL | undefined): string => {
  if (url !== undefined && WEB.has(url.protocol)) return url.host
  return visibleText(href.replace(/^mailto:/i, ""), "command")
}

export const targetOf = (href: string, label: string, workspace: string): Target => {
  const url = urlOf(href)
  const link = url === undefined ? undefined : linkOf(url, workspace)
  const says = bare(label) === bare(href) || (url !== undefined && bare(label) === bare(url.href))
  return { ...(link === undefined ? {} : { link }), ...(says || href === "" ? {} : { note: noteOf(href, url) }) }
}
