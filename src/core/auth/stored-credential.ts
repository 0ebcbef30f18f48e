import { Result, Schema } from "effect"

const FITS_HEADER = /^[\x21-\x7e]+$/

/** What `nacre login` keeps: one key or token, and the endpoint that it is for. */
export interface StoredCredential {
  readonly kind: "api_key" | "auth_token"
  readonly secret: string
  readonly baseUrl?: string
}

/** Made when a file is there: every start looks for one, most find none. */
const decode = (value: unknown) =>
  Schema.decodeUnknownResult(
    Schema.Struct({
      kind: Schema.Literals(["api_key", "auth_token"]),
      secret: Schema.String.check(Schema.isPattern(FITS_HEADER)),
      baseUrl: Schema.optionalKey(Schema.String)
    })
  )(value)

/** The credential in the text of its file, or why there is none. No secret is in the reason. */
export const readStored = (text: string): Result.Result<StoredCredential, string> =>
  Result.try({ try: (): unknown => JSON.parse(text), catch: () => "it is no JSON" }).pipe(
    Result.flatMap((value) => Result.mapError(decode(value), () => "it holds no credential that can be used"))
  )

export const writeStored = (credential: StoredCredential): string => `${JSON.stringify(credential, null, 2)}\n`

const SHOWN_END = 4
const LONG_ENOUGH = 12

/** The end of a secret, by which somebody who has it knows which one it is. */
export const lastFour = (secret: string): string | undefined =>
  secret.length < LONG_ENOUGH ? undefined : secret.slice(-SHOWN_END)

/** What was pasted or piped, as a secret; a text says why it is none. */
export const secretFrom = (pasted: string): Result.Result<string, string> => {
  const secret = pasted.trim()
  if (secret === "") return Result.fail("nothing was given")
  return FITS_HEADER.test(secret)
    ? Result.succeed(secret)
    : Result.fail("it holds a blank, a line break or a character that no HTTP header may carry")
}
