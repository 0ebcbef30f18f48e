import { describe, expect, it } from "vitest"
import type { Look } from "../../../../src/core/context/sources/source.ts"
import { SOURCE_KINDS } from "../../../../src/core/context/sources/table.ts"
import { NO_FACTS } from "../../../../src/core/permission/facts.ts"
import { returned } from "../response-plan.ts"
import { lastWords, Script } from "../script.ts"

const nested = (text: string): Look => {
  const path = "/project/sub/CLAUDE.md"
  const value = { path, kind: "project", label: "the project's", text, reason: "nested_traversal" } as const
  return { nested: [{ id: path, value }] }
}

const started = (prompt = "go"): Script => {
  const script = new Script({ config: { sources: SOURCE_KINDS } })
  script.begin(prompt)
  return script
}

const wanted = (script: Script): unknown => script.newest("CollectContext").wants.find(({ kind }) => kind === "nested")

const read = (script: Script, id: string, path: string): void => {
  script.respond({ calls: [{ id, name: "Read", input: { file_path: path } }] })
  script.prepare(id)
  script.settle(id, returned("content"))
}

describe("instructions of a touched file", () => {
  it("are asked for after a call that read it, and stand in its result", () => {
    const script = started()
    expect(wanted(script)).toBeUndefined()
    script.look({})
    read(script, "r1", "/project/sub/a.txt")
    expect(wanted(script)).toEqual({ kind: "nested", about: { files: [{ path: "/project/sub/a.txt" }] } })
    script.look(nested("Use tabs."))
    expect(lastWords(script.requests.at(-1))).toMatch(
      /tool_result.*content.*Contents of \/project\/sub\/CLAUDE.md.*Use tabs/
    )
  })

  it("come once, also when the file has changed meanwhile", () => {
    const script = started()
    script.look({})
    read(script, "r1", "/project/sub/a.txt")
    script.look(nested("Use tabs."))
    read(script, "r2", "/project/sub/b.txt")
    script.look(nested("Use blanks."))
    expect(lastWords(script.requests.at(-1))).not.toContain("Contents of")
  })

  it("are asked for after a command that names it", () => {
    const script = started()
    script.look({})
    script.respond({ calls: [{ id: "b1", name: "Bash", input: { command: "cat sub/a.txt", description: "read" } }] })
    const facts = {
      paths: ["/project", "/project/sub/a.txt", "/etc/hosts"].map((path) => ({ path, realPath: path, exists: true }))
    }
    script.feed({ _tag: "CallPrepared", callId: "b1", facts: { ...NO_FACTS, ...facts } })
    if (!script.startedCalls.includes("b1")) script.answer("b1", { behavior: "allow" })
    script.settle("b1", returned("a"))
    expect(wanted(script)).toEqual({ kind: "nested", about: { files: [{ path: "/project/sub/a.txt" }] } })
  })

  it("are asked for with a prompt that mentions it", () => {
    const script = started("look at @sub/a.txt, not at `@sub/b.txt`")
    expect(wanted(script)).toEqual({ kind: "nested", about: { files: [{ path: "sub/a.txt" }] } })
  })

  it("are not asked for after calls that failed, or touched nothing of the project", () => {
    const script = started()
    script.look({})
    script.respond({ calls: [{ id: "r1", name: "Read", input: { file_path: "/project/sub/a.txt" } }] })
    script.prepare("r1")
    const looks = script.all("CollectContext").length
    script.settle("r1", { _tag: "Failed", message: "it is gone" })
    expect(script.all("CollectContext")).toHaveLength(looks)
  })
})

describe("a look at what changed", () => {
  it("is made anew before the next request when somebody asks for it", () => {
    const script = started()
    const path = "/project/CLAUDE.md"
    const says = (text: string): Look => ({
      instructions: [{ id: path, value: { path, kind: "project", label: "the project's", text } }]
    })
    script.look(says("Use tabs."))
    script.respond({ text: "fine" })
    script.feed({ _tag: "ContextOutdated" })
    script.begin("next")
    expect(script.newest("CollectContext").wants).toContainEqual({ kind: "instructions", about: { isNewWindow: true } })
    script.look(says("Use blanks."))
    expect(lastWords(script.requests.at(-1))).toMatch(/have changed.*Use blanks.*next/s)
  })
})
