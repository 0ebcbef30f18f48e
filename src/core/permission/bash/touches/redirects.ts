import type { Touch } from "../shell-analysis.ts"
import { touchesOfWord, type Places } from "./path-touch.ts"
import type { Redirect } from "../program.ts"

export const isDescriptor = ({ operator, target }: Redirect): boolean =>
  (operator === ">&" || operator === "<&") && target?.value !== undefined && /^(?:\d+-?|-)$/.test(target.value)

export const isWriting = (redirect: Redirect): boolean => redirect.operator.includes(">") && !isDescriptor(redirect)

/** Opens no file, or one that holds nothing. */
export const isFreeRedirect = (redirect: Redirect): boolean =>
  isDescriptor(redirect) || redirect.target?.value === "/dev/null" || redirect.operator.startsWith("<<")

/** Files that redirects open. */
export const redirectTouches = (redirects: ReadonlyArray<Redirect>, places: Places): ReadonlyArray<Touch> =>
  redirects.flatMap((redirect) => {
    const { target } = redirect
    if (target === undefined || isFreeRedirect(redirect)) return []
    const written = isWriting(redirect) ? touchesOfWord(target, "write", places, { via: "redirect" }) : []
    const read = redirect.operator.includes("<") ? touchesOfWord(target, "read", places, { via: "redirect" }) : []
    return [...written, ...read]
  })
