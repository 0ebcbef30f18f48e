import { describe, expect, it } from "vitest"
import type { HostContact } from "../../../src/core/ports/Sandbox.ts"
import { planSandbox } from "../../../src/core/sandbox/plan.ts"
import { violationBlock, violationsOf } from "../../../src/core/sandbox/violations.ts"
import { factsOf, requestWith } from "./fixture.ts"

const request = requestWith()
const facts = factsOf(request, {
  entries: { "/work/app/.claude": "directory", "/home/me/.ssh": "directory", "/home/me/.ssh/id": "file" }
})
const plan = planSandbox(request, facts)

const told = (output: string, contacts: ReadonlyArray<HostContact> = [], ignored = {}) =>
  violationsOf({ plan, command: "make all", cwd: "/work/app", output, contacts, ignored })

const OUTSIDE = "it is outside the directories that commands may write"
const PROTECTED = "it is protected, because tools act on it"

describe("what the sandbox refused", () => {
  it.each([
    ["bash: line 1: /etc/x: Read-only file system", `write /etc/x: ${OUTSIDE}`],
    ["touch: cannot touch '../y': Read-only file system", `write /work/y: ${OUTSIDE}`],
    ["Error: EROFS: read-only file system, open '/etc/x'", `write /etc/x: ${OUTSIDE}`],
    ["OSError: [Errno 30] Read-only file system: '/etc/x'", `write /etc/x: ${OUTSIDE}`],
    ["bash: .mcp.json: Is a directory", `write /work/app/.mcp.json: ${PROTECTED}`],
    ["mv: cannot move 'a' to '.claude': Device or resource busy", `write /work/app/.claude: ${PROTECTED}`],
    ["cat: /home/me/.ssh/id: Permission denied", "read /home/me/.ssh/id: it is hidden from commands"],
    ["curl: (6) Could not resolve host: example.com", "network example.com: no domain is allowed"],
    ["bash: connect: Network is unreachable", "network: no domain is allowed"]
  ])("%j", (output, violation) => {
    expect(told(output)).toEqual([violation])
  })

  it("is not guessed from errors that have nothing to do with it", () => {
    const harmless = ["cat: src: Is a directory", "cat: /work/app/locked: Permission denied", "mkdir: 'x': File exists"]
    expect(told(harmless.join("\n"))).toEqual([])
  })

  it("names refused hosts once, and nothing the settings ignore", () => {
    const contacts = [
      { host: "a.example", port: 443, refused: "not listed" },
      { host: "a.example", port: 443, refused: "not listed" },
      { host: "b.example", port: 443, refused: undefined }
    ]
    expect(told("", contacts)).toEqual(["network a.example:443: not listed"])
    expect(told("", contacts, { make: ["a.example"] })).toEqual([])
    expect(told("", contacts, { cargo: ["a.example"] })).toHaveLength(1)
    expect(told("", contacts, { "*": ["a.example"] })).toEqual([])
  })

  it("is a fenced block, or nothing", () => {
    expect(violationBlock([])).toBeUndefined()
    expect(violationBlock(["a", "b"])).toBe("<sandbox_violations>\na\nb\n</sandbox_violations>")
  })
})
