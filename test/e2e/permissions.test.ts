import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { makePlace, type Place } from "../support/built-cli.ts"
import { ask, linesOf, list, saidBy, sentResults } from "../support/e2e-world.ts"
import { blocks, text, toolUse } from "../support/messages-reply.ts"
import { freshDirectory, putFile } from "../support/temp-world.ts"

/** What runs, what is refused and how a refusal is told, with nobody there to ask. */
const writing = ({ cwd }: Place) => toolUse("Write", { file_path: `${cwd}/new.txt`, content: "new\n" }, "toolu_write")

/** Root may bypass permissions in a container only; this says that it is one, wherever the tests run. */
const SANDBOX = { IS_SANDBOX: "1" }

const tryWrite = async (args: ReadonlyArray<string>) => {
  const place = makePlace()
  const answer = await ask([writing(place), text("done")], "go", { place, args, env: SANDBOX })
  return { ...answer, written: existsSync(`${place.cwd}/new.txt`) }
}

const tryBash = async (command: string, args: ReadonlyArray<string>) => {
  const answer = await ask([toolUse("Bash", { command }, "toolu_bash"), text("done")], "go", { args, env: SANDBOX })
  return { ...answer, said: saidBy(sentResults(answer.requests[1])[0]) }
}

describe.concurrent("a call that nobody can allow", () => {
  it("is refused, told to the model, and listed in stream and result", async () => {
    const { code, written, requests, lines, result } = await tryWrite([])
    expect({ code, written }).toEqual({ code: 0, written: false })
    const [refused] = sentResults(requests[1])
    expect(refused).toMatchObject({ tool_use_id: "toolu_write", is_error: true })
    const [told] = linesOf(lines, "system/permission_denied")
    expect(told).toMatchObject({ tool_name: "Write", tool_use_id: "toolu_write", message: saidBy(refused) })
    expect(result["permission_denials"]).toMatchObject([{ tool_name: "Write", tool_use_id: "toolu_write" }])
  })

  it("does not stop the calls beside it", async () => {
    const place = makePlace()
    putFile(`${place.cwd}/a.txt`, "alpha\n")
    const both = blocks([
      { type: "tool_use", name: "Write", input: { file_path: `${place.cwd}/b.txt`, content: "b" }, id: "toolu_1" },
      { type: "tool_use", name: "Read", input: { file_path: `${place.cwd}/a.txt` }, id: "toolu_2" }
    ])
    const { requests } = await ask([both, text("done")], "go", { place })
    const results = sentResults(requests[1])
    expect(results.map((result) => result["is_error"] === true)).toEqual([true, false])
    expect(saidBy(results[1])).toContain("alpha")
  })
})

describe.concurrent("modes", () => {
  it.each([
    ["default", false],
    ["acceptEdits", true],
    ["plan", false],
    ["dontAsk", false],
    ["bypassPermissions", true]
  ])("%s: a new file is written: %s", async (mode, expected) => {
    const { written, lines, code } = await tryWrite(["--permission-mode", mode])
    expect({ written, code }).toEqual({ written: expected, code: 0 })
    expect(linesOf(lines, "system/init")).toMatchObject([{ permissionMode: mode }])
    expect(linesOf(lines, "system/permission_denied")).toHaveLength(expected ? 0 : 1)
  })

  it("--dangerously-skip-permissions runs what would be asked for, but not what is denied", async () => {
    expect((await tryWrite(["--dangerously-skip-permissions"])).written).toBe(true)
    const denied = await tryBash("echo hi", ["--dangerously-skip-permissions", "--disallowedTools", "Bash(echo *)"])
    expect(denied.said).not.toMatch(/^hi/)
    expect(denied.result["permission_denials"]).toHaveLength(1)
  })

  it("acceptEdits ends at the working directory", async () => {
    const outside = freshDirectory()
    const { requests } = await ask([toolUse("Write", { file_path: `${outside}/x.txt`, content: "x" }), text("done")], "go", {
      args: ["--permission-mode", "acceptEdits"]
    })
    expect(sentResults(requests[1])).toMatchObject([{ is_error: true }])
    expect(existsSync(`${outside}/x.txt`)).toBe(false)
  })
})

describe.concurrent("rules", () => {
  it("--allowedTools lets matching commands run and no others", async () => {
    const args = ["--allowedTools", "Bash(echo *)"]
    expect((await tryBash("echo hello", args)).said).toBe("hello")
    expect((await tryBash("touch x", args)).result["permission_denials"]).toHaveLength(1)
    expect((await tryBash("echo hello; touch x", args)).result["permission_denials"]).toHaveLength(1)
    expect((await tryBash("echo $(touch x)", args)).result["permission_denials"]).toHaveLength(1)
  })

  it("a comma inside a rule does not split it", async () => {
    const { result } = await tryBash("echo a, b", ["--allowedTools", "Bash(echo a, b),Read"])
    expect(result["permission_denials"]).toEqual([])
  })

  it("--disallowedTools with a bare name removes the tool", async () => {
    const { lines, requests, said } = await tryBash("echo hi", ["--disallowedTools", "Bash", "--allowedTools", "Bash"])
    expect(linesOf(lines, "system/init")[0]?.["tools"]).not.toContain("Bash")
    expect(list(requests[0]?.body["tools"]).map((tool) => tool["name"])).not.toContain("Bash")
    expect(said).toMatch(/No such tool available: Bash/)
  })

  it("a deny rule wins over an allow rule", async () => {
    const { said, lines } = await tryBash("rm -r x", ["--allowedTools", "Bash", "--disallowedTools", "Bash(rm *)"])
    expect(said).not.toMatch(/No such file/)
    expect(linesOf(lines, "system/permission_denied")).toMatchObject([{ decision_reason_type: "rule" }])
  })
})

describe.concurrent("--tools", () => {
  it("says which names no tool has", async () => {
    const { stderr } = await ask([text("fine")], "go", { args: ["--tools", "Read,Bogus,mcp__a__b"] })
    expect(stderr).toContain("nacre: --tools: no tool is called Bogus. Fix: leave it out; --tools default offers all\n")
  })

  it.each([
    ["Read,Glob", ["Glob", "Read"]],
    ["", []]
  ])("%j offers exactly these", async (tools, expected) => {
    const { lines, requests } = await ask([text("fine")], "go", { args: ["--tools", tools] })
    expect(linesOf(lines, "system/init")[0]?.["tools"]).toEqual(expected)
    expect(list(requests[0]?.body["tools"]).map((tool) => tool["name"])).toEqual(expected)
  })

  it("--bare offers the four basic ones", async () => {
    const { lines } = await ask([text("fine")], "go", { args: ["--bare"] })
    expect(linesOf(lines, "system/init")[0]?.["tools"]).toEqual(["Bash", "Edit", "Read", "Write"])
  })
})

describe.concurrent("--add-dir", () => {
  const readThere = async (outside: string, args: ReadonlyArray<string>) => {
    const reading = toolUse("Read", { file_path: `${outside}/secret.txt` })
    const { requests } = await ask([reading, text("done")], "go", { args })
    return saidBy(sentResults(requests[1])[0])
  }

  it("opens one more directory to the tools", async () => {
    const outside = freshDirectory()
    putFile(`${outside}/secret.txt`, "pearl\n")
    expect(await readThere(outside, [])).not.toContain("pearl")
    expect(await readThere(outside, ["--add-dir", outside])).toContain("pearl")
  })

  it("accepts edits there as in the working directory", async () => {
    const outside = freshDirectory()
    mkdirSync(`${outside}/sub`)
    await ask([toolUse("Write", { file_path: `${outside}/sub/x.txt`, content: "x\n" }), text("done")], "go", {
      args: ["--permission-mode", "acceptEdits", "--add-dir", outside]
    })
    expect(readFileSync(`${outside}/sub/x.txt`, "utf8")).toBe("x\n")
  })
})
