import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makePlace, type Place } from "../support/built-cli.ts"
import { ask, saidBy, sentResults, sentText } from "../support/e2e-world.ts"
import { type FlippingWorld, flippingWorld, OUTSIDE } from "../support/link-flipper.ts"
import { type Reply, text, toolUse } from "../support/messages-reply.ts"
import { sandboxWorks } from "../support/sandbox-world.ts"

/** The built program at work in a directory in whose place another process puts a link to the outside and back. */
const placeIn = ({ work }: FlippingWorld): Place => ({ ...makePlace(), cwd: work })

/** Each call after the other, whatever becomes of it. */
const calling =
  (rounds: number, callAt: (round: number) => Reply) =>
  (_: unknown, index: number): Reply =>
    index < rounds ? callAt(index) : text("done")

describe.skipIf(process.platform !== "linux")("files behind a link that comes and goes", () => {
  it("are read, written and changed inside or not at all", async () => {
    const world = await flippingWorld()
    const { place } = world
    const calls = [
      (): Reply => toolUse("Read", { file_path: `${place}/f` }),
      (): Reply => toolUse("Edit", { file_path: `${place}/f`, old_string: "i", new_string: "I" }),
      (round: number): Reply => toolUse("Write", { file_path: `${place}/new-${round}/file`, content: "x" }),
      (): Reply => toolUse("Read", { file_path: `${place}/only-there` })
    ]
    const script = calling(40, (round) => (calls[round % calls.length] ?? calls[0])?.(round) ?? text("done"))
    const { requests } = await ask(script, "go", { place: placeIn(world), args: ["--permission-mode", "acceptEdits"] })
    expect(requests.map(sentText).filter((sent) => sent.includes(OUTSIDE))).toEqual([])
    const results = requests.flatMap((request) => sentResults(request))
    expect(results).toHaveLength(40)
    // Where nothing succeeds, or everything does, nothing was proven.
    expect(results.some((result) => result["is_error"] === undefined)).toBe(true)
    expect(results.some((result) => result["is_error"] === true)).toBe(true)
    expect(await world.stop()).toBeGreaterThan(1_000)
    world.expectOutsideUntouched()
  })

  it.skipIf(!sandboxWorks())("are written by commands inside only, where the sandbox holds them", async () => {
    const world = await flippingWorld()
    const place = placeIn(world)
    writeFileSync(join(place.config, "settings.json"), JSON.stringify({ sandbox: { enabled: true } }))
    // It goes on until one of its writes met the link: how soon that is depends on who gets the processors.
    const writes = "for i in $(seq 30000); do echo x > d/made-$i; mkdir d/dir-$i; rm -f d/f; done"
    const loop = `{ ${writes}; } 2>&1 >/dev/null | grep -m 1 "Read-only file system"`
    const script = calling(6, (round) => toolUse("Bash", { command: round === 0 ? loop : `echo x > d/made-${round}` }))
    const { requests } = await ask(script, "go", { place })
    const said = requests.flatMap((request) => sentResults(request)).map(saidBy)
    expect(said.join("\n")).toContain("Read-only file system")
    await world.stop()
    world.expectOutsideUntouched()
  })
})
