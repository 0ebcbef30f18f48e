import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { rulesInForce, setAside, setAsideNotice } from "../../../../src/core/permission/rules/set-aside.ts"
import { printRule } from "../../../../src/core/permission/rule.ts"
import { PERMISSION_MODES } from "../../../../src/core/permission/verdict.ts"
import { contextFor, decideIn, shell } from "../fixture.ts"

const asideOf = (rule: string): boolean => setAside(contextFor({ mode: "auto", allow: [rule] })).length === 1

describe("rules that auto mode sets aside", () => {
  it.each([
    "Bash",
    "Bash(*)",
    "Monitor",
    "Agent",
    "Agent(reviewer)",
    "Task",
    "Bash(python *)",
    "Bash(python:*)",
    "Bash(python*)",
    "Bash(python3.12 *)",
    "Bash(py*)",
    "Bash(/usr/bin/python3 *)",
    "Bash(node *)",
    "Bash(node -e *)",
    "Bash(deno:*)",
    "Bash(tsx *)",
    "Bash(ruby *)",
    "Bash(perl -e *)",
    "Bash(php *)",
    "Bash(lua *)",
    "Bash(npx *)",
    "Bash(bunx *)",
    "Bash(npm *)",
    "Bash(npm run *)",
    "Bash(npm run:*)",
    "Bash(yarn run *)",
    "Bash(pnpm run *)",
    "Bash(bun run *)",
    "Bash(bash *)",
    "Bash(bash -c *)",
    "Bash(sh *)",
    "Bash(zsh *)",
    "Bash(fish *)",
    "Bash(ssh *)",
    "Bash(ssh host *)",
    "Bash(eval *)",
    "Bash(exec *)",
    "Bash(env *)",
    "Bash(env A=1 *)",
    "Bash(xargs *)",
    "Bash(xargs rm *)",
    "Bash(sudo *)",
    "Bash(sudo apt *)",
    "Bash(A=1 python *)",
    "Bash(sh)",
    "Bash(bash -s)",
    "Bash(python -)"
  ])("%s", (rule) => {
    expect(asideOf(rule)).toBe(true)
  })

  it.each([
    "Bash(ls *)",
    "Bash(npm test)",
    "Bash(npm test *)",
    "Bash(npm run lint)",
    "Bash(npm run test:unit *)",
    "Bash(git *)",
    "Bash(python manage.py test)",
    "Bash(python -m pytest *)",
    "Bash(node build.js *)",
    "Bash(npx prettier *)",
    "Bash(sudo apt update)",
    "Bash(make *)",
    "Bash(n *)",
    "Bash(nodemon *)",
    "Bash(node --version)",
    "Bash(bundle *)",
    "Read",
    "Edit",
    "WebFetch",
    "Skill(x)",
    "mcp__server__tool"
  ])("but not %s", (rule) => {
    expect(asideOf(rule)).toBe(false)
  })

  it("hold in every other mode, and again after auto", () => {
    for (const mode of PERMISSION_MODES.filter((each) => each !== "auto")) {
      expect(setAside(contextFor({ mode, allow: ["Bash"] }))).toEqual([])
    }
    const before = contextFor({ allow: ["Bash", "Bash(ls *)"] })
    const during = { ...before, mode: "auto" as const }
    expect(rulesInForce(during).map(printRule)).toEqual(["Bash(ls *)"])
    expect(rulesInForce({ ...during, mode: "default" })).toEqual(before.rules)
  })

  it("are never deny or ask rules", () => {
    const { rules } = contextFor({ mode: "auto", deny: ["Bash"], ask: ["Bash(python *)"] })
    expect(rulesInForce(contextFor({ mode: "auto", deny: ["Bash"], ask: ["Bash(python *)"] }))).toHaveLength(rules.length)
    expect(decideIn({ mode: "auto", deny: ["Bash"] }, { need: shell("make") }).verdict).toBe("deny")
  })

  it("do not decide: what they would have allowed is left to the classifier", () => {
    for (const [rule, command] of [
      ["Bash", "make"],
      ["Bash(python *)", "python x.py"],
      ["Bash(npm run *)", "npm run x"]
    ]) {
      const call = { need: shell(command ?? "") }
      expect(decideIn({ allow: [rule ?? ""] }, call).verdict).toBe("allow")
      expect(decideIn({ mode: "auto", allow: [rule ?? ""] }, call)).toMatchObject({
        verdict: "ask",
        classifierApprovable: true
      })
    }
    expect(decideIn({ mode: "auto", allow: ["Bash(make *)"] }, { need: shell("make all") }).verdict).toBe("allow")
  })

  it("are told once, with where they come from", () => {
    const plain = contextFor({ allow: ["Bash", "Bash(node *)", "Bash(ls *)"] })
    const auto = { ...plain, mode: "auto" as const }
    const told = setAsideNotice(plain, auto) ?? ""
    expect(told).toContain("Bash (CLI argument), Bash(node *) (CLI argument)")
    expect(told).not.toContain("ls")
    expect(setAsideNotice(auto, auto)).toBeUndefined()
    expect(setAsideNotice(auto, plain)).toBeUndefined()
  })

  it("are those under which some code could run that the rule does not spell", () => {
    const runner = fc.constantFrom("python", "node", "bash", "npx", "sudo", "env", "xargs", "npm run")
    const tail = fc.constantFrom(" *", ":*", "*", " -x *")
    fc.assert(fc.property(runner, tail, (name, end) => asideOf(`Bash(${name}${end})`)))
  })
})
