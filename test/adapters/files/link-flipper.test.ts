import { createHash } from "node:crypto"
import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import { makeFiles } from "../../../src/adapters/files/node.ts"
import { nodeOps } from "../../../src/adapters/files/ops.ts"
import type { FileError } from "../../../src/core/ports/Files.ts"
import { type FlippingWorld, flippingWorld, INSIDE, OUTSIDE, tryWhileFlipping } from "../../support/link-flipper.ts"

/**
 * Another process puts a link to the outside in the place of a directory and back, while files in that directory are
 * read and written for which permission was given. Every attempt ends inside or is refused.
 */
const files = makeFiles(nodeOps)
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const hash = createHash("sha256").update(INSIDE).digest("hex")

const outcomeOf = async <A>(effect: Effect.Effect<A, FileError>, shown: (value: A) => string): Promise<string> => {
  const result = await Effect.runPromise(Effect.result(effect))
  return Result.isFailure(result) ? "refused" : shown(result.success)
}

/** Only these outcomes, and each of them: a link that never came in between would prove nothing. */
const expectOnly = (outcomes: Map<string, number>, expected: string): void => {
  expect(new Set(outcomes.keys())).toEqual(new Set([expected, "refused"]))
}

const approved = (path: string) => ({ path, approvedRealPath: path })

type Attempt = (world: FlippingWorld, round: number) => Promise<string>

const READING: ReadonlyArray<readonly [what: string, attempt: Attempt, expected: string]> = [
  [
    "reading",
    ({ place }) =>
      outcomeOf(files.read(`${place}/f`, approved(`${place}/f`)), ({ bytes }) => new TextDecoder().decode(bytes)),
    INSIDE
  ],
  [
    "reading piece by piece",
    async ({ place }) => {
      let seen = ""
      const note = (piece: Uint8Array): boolean => {
        seen += new TextDecoder().decode(piece)
        return true
      }
      const end = await outcomeOf(files.scan(`${place}/f`, note, approved(`${place}/f`)), () => seen)
      return seen === OUTSIDE ? OUTSIDE : end
    },
    INSIDE
  ],
  [
    "listing",
    ({ place }) => outcomeOf(files.list(place, approved(place)), (entries) => entries.map(({ name }) => name).join(" ")),
    "f mine twin"
  ]
]

const WRITING: ReadonlyArray<readonly [what: string, attempt: Attempt]> = [
  [
    "creating",
    ({ place }, round) =>
      outcomeOf(files.write({ ...approved(`${place}/n${round}`), bytes: bytes("x"), expectedHash: null }), () => "written")
  ],
  [
    "creating with directories",
    ({ place }, round) =>
      outcomeOf(
        files.write({ ...approved(`${place}/a${round}/b/c`), bytes: bytes("x"), expectedHash: null }),
        () => "written"
      )
  ],
  [
    "replacing",
    ({ place }) =>
      outcomeOf(files.write({ ...approved(`${place}/f`), bytes: bytes(INSIDE), expectedHash: hash }), () => "written")
  ],
  [
    "writing in place",
    ({ place }) =>
      outcomeOf(files.write({ ...approved(`${place}/twin`), bytes: bytes(INSIDE), expectedHash: hash }), () => "written")
  ]
]

describe.skipIf(process.platform !== "linux")("a directory in whose place a link comes and goes", () => {
  it.each(READING)("%s shows nothing of the outside", { timeout: 60_000 }, async (_, attempt, expected) => {
    const world = await flippingWorld()
    expectOnly(await tryWhileFlipping((round) => attempt(world, round)), expected)
    expect(await world.stop()).toBeGreaterThan(1_000)
    world.expectOutsideUntouched()
  })

  it.each(WRITING)("%s leaves the outside alone", { timeout: 60_000 }, async (_, attempt) => {
    // The outside looks the same, so that only its place can save it.
    const world = await flippingWorld(INSIDE)
    expectOnly(await tryWhileFlipping((round) => attempt(world, round)), "written")
    expect(await world.stop()).toBeGreaterThan(1_000)
    world.expectOutsideUntouched()
  })
})
