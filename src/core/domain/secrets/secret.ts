import { Result } from "effect"

/** What can be said about a secret without telling it. */

const SHOWN_END = 4
const LONG_ENOUGH = 12

/** The end of a secret, by which somebody who has it knows which one it is. */
export const lastFour = (secret: string): string | undefined =>
  secret.length < LONG_ENOUGH ? undefined : secret.slice(-SHOWN_END)

const FITS_HEADER = /^[\x21-\x7e]+$/

/** What was pasted or piped, as a secret; a text says why it is none. */
export const secretFrom = (pasted: string): Result.Result<string, string> => {
  const secret = pasted.trim()
  if (secret === "") return Result.fail("nothing was given")
  return FITS_HEADER.test(secret)
    ? Result.succeed(secret)
    : Result.fail("it holds a blank, a line break or a character that no HTTP header may carry")
}
