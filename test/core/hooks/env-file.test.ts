import { describe, expect, it } from "vitest"
import { readEnvFile } from "../../../src/core/hooks/env-file.ts"

const read = (text: string) => readEnvFile(text, { PATH: "/bin", HOME: "/home/me" })

describe("the file of variables", () => {
  it.each([
    ["export A=1", "1"],
    ["A=1", "1"],
    ["export A='one two'", "one two"],
    ['export A="one $HOME"', "one /home/me"],
    ["export A=$PATH:/opt/bin", "/bin:/opt/bin"],
    ["export A=${HOME}/x", "/home/me/x"],
    ["export A=", ""],
    [String.raw`export A="a \"b\" \$HOME"`, 'a "b" $HOME'],
    ["export A='$HOME'", "$HOME"]
  ])("reads %s", (line, value) => {
    expect(read(line)).toEqual({ variables: { A: value }, refused: [] })
  })

  it("knows what earlier lines set", () => {
    expect(read("export A=1\n# a remark\n\nexport B=$A$A").variables).toEqual({ A: "1", B: "11" })
  })

  it.each(["export A=$(touch x)", "A=`id`", "export A=1; rm x", "source other", 'A="$(id)"', "A=1 B=2", "A=x | y"])(
    "runs nothing of %s",
    (line) => {
      expect(read(line)).toEqual({ variables: {}, refused: [line] })
    }
  )
})
