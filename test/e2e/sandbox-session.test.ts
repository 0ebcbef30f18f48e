import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makePlace, run } from "../support/built-cli.ts"
import { sandboxWorks } from "../support/sandbox-world.ts"

/** The built program with `sandbox.enabled` in the user's settings. */
const placeWith = (sandbox: object) => {
  const place = makePlace()
  writeFileSync(join(place.config, "settings.json"), JSON.stringify({ sandbox }))
  return place
}

describe.skipIf(!sandboxWorks())("a session with a sandbox", () => {
  it("runs what stays inside without a question, and the kernel holds the rest back (P-125)", async () => {
    const place = placeWith({ enabled: true })
    const outside = join(place.home, "outside")
    const script = `fs.writeFileSync("in", "x"); fs.writeFileSync("${outside}", "x")`
    const { stdout } = await run(["-p", `run node -e '${script}'`], { place })
    expect(stdout).toContain("EROFS")
    expect(readFileSync(join(place.cwd, "in"), "utf8")).toBe("x")
    expect(existsSync(outside)).toBe(false)
  })

  it("asks as ever when the settings do not let the sandbox answer", async () => {
    const place = placeWith({ enabled: true, autoAllowBashIfSandboxed: false })
    const { stdout } = await run(["-p", "run touch made"], { place })
    expect(stdout).toContain("was not allowed to run")
    expect(existsSync(join(place.cwd, "made"))).toBe(false)
  })
})
