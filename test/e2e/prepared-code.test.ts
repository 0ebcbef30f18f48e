import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { builtCli } from "../support/built-cli.ts"

/** Where V8 writes down the options of the process that made the code. */
const OPTIONS_AT = 12

const optionsOfPlainNode = (): number => {
  const code = `console.log(new (require("node:vm").Script)("1").createCachedData().readUInt32LE(${OPTIONS_AT}))`
  return Number(spawnSync(process.execPath, ["-e", code], { env: { PATH: process.env["PATH"] }, encoding: "utf8" }).stdout)
}

describe("prepared machine code", () => {
  it("was written under the options that every start has, or it would be refused", async () => {
    const directory = join(dirname(await builtCli()), "program")
    const plain = optionsOfPlainNode()
    const files = readdirSync(directory).filter((name) => name.endsWith(`.${process.version}.cache`))
    const others = files.filter((name) => readFileSync(join(directory, name)).readUInt32LE(OPTIONS_AT) !== plain)
    expect(others).toEqual([])
  })
})
