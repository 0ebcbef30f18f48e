import { Effect } from "effect"
import { WebFailure } from "../../core/ports/Web.ts"
import { addressKind, isAddress } from "../../core/domain/net/address.ts"
import { hostOf, isMetadataHost, isNamed } from "../../core/domain/net/host.ts"

/** Where a host leads, checked before anything connects. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
}

export type Lookup = (host: string) => Promise<ReadonlyArray<ResolvedAddress>>

export interface CheckedAddresses {
  readonly addresses: ReadonlyArray<ResolvedAddress>
  /** None of them is on the public network; a rule names the host, else this would have failed. */
  readonly local: boolean
}

const literal = (host: string): ReadonlyArray<ResolvedAddress> => [{ address: host, family: host.includes(":") ? 6 : 4 }]

const refused = (host: string, why: string): WebFailure =>
  new WebFailure({ kind: "address", message: `${host} ${why}. Nothing was sent.` })

const resolved = (host: string, lookup: Lookup) =>
  isAddress(host)
    ? Effect.succeed(literal(host))
    : Effect.tryPromise({
        try: () => lookup(host),
        catch: (error) =>
          new WebFailure({
            kind: "network",
            message: `${host} could not be resolved: ${error instanceof Error ? error.message : String(error)}`
          })
      })

const METADATA = "leads to a cloud metadata service, which is never fetched"

/** One forbidden address among several is enough to refuse: the answer was made to be chosen from. */
export const checkedAddresses = Effect.fnUntraced(function* (
  url: URL,
  allowedHosts: ReadonlyArray<string>,
  lookup: Lookup
): Effect.fn.Return<CheckedAddresses, WebFailure> {
  const host = hostOf(url)
  if (isMetadataHost(host)) return yield* refused(host, METADATA)
  const addresses = yield* resolved(host, lookup)
  const kinds = addresses.map(({ address }) => addressKind(address))
  if (kinds.length === 0) return yield* refused(host, "has no address")
  if (kinds.includes("metadata")) return yield* refused(host, METADATA)
  const inner = kinds.find((kind) => kind !== "public")
  if (inner !== undefined && !isNamed(host, allowedHosts)) {
    return yield* refused(
      host,
      `leads to a ${inner} address. Such hosts are fetched only if an allow rule names them: WebFetch(domain:${host})`
    )
  }
  return { addresses, local: kinds.every((kind) => kind !== "public") }
})
