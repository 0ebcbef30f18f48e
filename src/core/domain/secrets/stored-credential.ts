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
  Result.try({ try: (): unknown => JSON.parse(text), catch: () => "it is not JSON" }).pipe(
    Result.flatMap((value) => Result.mapError(decode(value), () => "it holds no credential that can be used"))
  )

export const writeStored = (credential: StoredCredential): string => `${JSON.stringify(credential, null, 2)}\n`
