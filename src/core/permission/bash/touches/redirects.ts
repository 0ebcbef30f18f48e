import type { Touch } from "../shell-analysis.ts"
import { touchesOfWord, type Places } from "./path-touch.ts"
import { isFreeRedirect, isWriting } from "../proofs/static-words.ts"
import type { Redirect } from "../program.ts"

/** Files that redirects open. */
export const redirectTouches = (redirects: ReadonlyArray<Redirect>, places: Places): ReadonlyArray<Touch> =>
  redirects.flatMap((redirect) => {
    const { target } = redirect
    if (target === undefined || isFreeRedirect(redirect)) return []
    const written = isWriting(redirect) ? touchesOfWord(target, "write", places, { via: "redirect" }) : []
    const read = redirect.operator.includes("<") ? touchesOfWord(target, "read", places, { via: "redirect" }) : []
    return [...written, ...read]
  })
