import { execFileSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { quoteWord } from "../../src/core/tools/bash/invocation.ts"
import { contentOf, type Escape, ESCAPES, NOTHING, secret } from "../support/sandbox-escapes.ts"
import { RULE_ESCAPES } from "../support/sandbox-escapes-rules.ts"
import { makeSandboxWorld, type SandboxWorld, sandboxWorks } from "../support/sandbox-world.ts"

/** A sandbox that cannot hold what it promises runs nothing, which holds it too. */
const runInside = (world: SandboxWorld, command: string, { options }: Escape): Promise<string> =>
  world.run(command, options?.(world)).then(
    ({ output }) => output,
    (failure: unknown) => {
      expect(String(failure)).toMatch(/The sandbox cannot protect this project: .* Fix: /)
      return ""
    }
  )

const attempt = async (escape: Escape, where: "inside" | "outside"): Promise<boolean> => {
  const world = makeSandboxWorld()
  const prepared = (await escape.prepare?.(world)) ?? NOTHING
  try {
    const command = escape.command(world, prepared)
    const output = where === "inside" ? await runInside(world, command, escape) : await world.runOutside(command)
    return escape.isOut(world, output, prepared)
  } finally {
    prepared.close?.()
    await world.close()
  }
}

describe.skipIf(!sandboxWorks())("a way out", () => {
  it.each([...ESCAPES, ...RULE_ESCAPES].map((escape) => [escape.name, escape] as const))("%s", async (_name, escape) => {
    const works = await attempt(escape, "outside")
    if (escape.mayBeClosed === undefined) expect(works, "the attempt proves nothing: it fails outside too").toBe(true)
    expect(await attempt(escape, "inside")).toBe(false)
  })

  it("keys pushed into the terminal that the program runs in", async () => {
    const world = makeSandboxWorld()
    const push =
      'perl -e \'my $key = "x"; ioctl(STDIN, 0x5412, $key) and print "DID-IT"; ' +
      'open(my $t, "+<", "/dev/tty") and ioctl($t, 0x5412, $key) and print "DID-IT"\''
    const onTerminal = (command: string): string =>
      execFileSync("script", ["-qec", command, "/dev/null"], { encoding: "utf8", cwd: world.project })
    const isOpenHere = contentOf("/proc/sys/dev/tty/legacy_tiocsti").trim() !== "0"
    expect(onTerminal(`${push}; true`).includes("DID-IT")).toBe(isOpenHere)
    const { confinement } = await world.confine()
    const words = [confinement.file, ...confinement.args, "bash", "-c", `${push}; true`].map(quoteWord).join(" ")
    expect(onTerminal(`exec 3<${quoteWord(confinement.inputs[0] ?? "")}; ${words}`)).not.toContain("DID-IT")
    confinement.onEnd()
    await world.close()
  })

  it("a link that is flipped between two places while commands start", async () => {
    const world = makeSandboxWorld()
    secret(world)
    const flipping = world.run(
      `while [ ! -e stop ]; do ln -sfn ${world.home}/.ssh flip; ln -sfn ${world.project} flip; ` +
        `rm -f .mcp.json; ln -sfn ${world.outside}/made .mcp.json; done 2>/dev/null`
    )
    for (let round = 0; round < 15; round++) {
      const { output } = await world.run("cat flip/id_ed25519; echo EVIL > flip/made; echo EVIL > .mcp.json; cp -rL flip c")
      expect(output).not.toContain("SECRET-1")
    }
    fs.writeFileSync(path.join(world.project, "stop"), "")
    await flipping
    expect(fs.readdirSync(world.outside)).toEqual([])
    expect(fs.readdirSync(path.join(world.home, ".ssh"))).toEqual(["id_ed25519"])
    await world.close()
  })
})
