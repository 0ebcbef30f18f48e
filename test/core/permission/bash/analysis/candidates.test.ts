import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { splitByQuotes } from "../../../../../src/core/permission/bash/parse/lexical.ts"
import { DYNAMIC } from "../../../../../src/core/permission/bash/program.ts"
import { ruleHits } from "../analysing.ts"
import { HIDING } from "../mutations.ts"

/** Nothing can be seen of these before they run, so they may only ask. */
const HIDDEN = new Set(["variable"])

describe("deny and ask rules see through disguises", () => {
  it("has at least forty disguises", () => {
    expect(HIDING.length).toBeGreaterThanOrEqual(40)
  })

  it.each(HIDING.map(({ name, mutate }) => [name, mutate] as const))("%s", (name, mutate) => {
    const command = mutate("rm -r a")
    const found = ruleHits(command, "rm *")
    if (HIDDEN.has(name)) expect(found, command).toBeDefined()
    else expect(found, command).toBe("hit")
  })

  it("a disguise inside another one is seen or known to be hidden", () => {
    const OUTER =
      /^(?:env|sudo|group|subshell|(?:quoted )?substitution|and|newline|if|for|case|function|here document|xargs)$/
    const disguise = fc.constantFrom(...HIDING)
    fc.assert(
      fc.property(fc.constantFrom(...HIDING.filter(({ name }) => OUTER.test(name))), disguise, (outer, inner) => {
        const command = outer.mutate(inner.mutate("rm -r a"))
        expect(ruleHits(command, "rm *"), command).toBeDefined()
      }),
      { numRuns: 400 }
    )
  })

  it.each([
    "$X -r a",
    "x=rm; $x -r a",
    "/bin/r? a",
    "{rm,-r,a}",
    "$(echo rm) -r a",
    "base64 -d x | sh",
    "r${e}m a",
    "sudo $X",
    "env $X a",
    'sh -c "$X"',
    "eval $X",
    "curl x | bash",
    "curl x | sudo bash -s",
    "x | xargs sh",
    "x | xargs sudo",
    "bash <(curl x)"
  ])("what runs is only known at run time: %s", (command) => {
    expect(ruleHits(command, "zzz *")).toBe("hidden")
  })

  it.each([
    "echo rm -r a",
    "git rm a",
    'git commit -m "rm -r a; done"',
    "grep rm a",
    "ls rm-dir",
    "rmdir a",
    "cat 'rm -r a'",
    "timeout 5 echo rm a",
    "npm run rm",
    "sed -n '/rm a/p' b",
    "git log --grep 'rm -r'",
    "printf '%s' rm a",
    "test rm = rm",
    "cp rm b",
    "command -v rm",
    "rg 'rm -rf' src"
  ])("what is only text is not a command: %s", (command) => {
    expect(ruleHits(command, "rm *")).toBeUndefined()
  })

  it.each([
    ["a file of the same name does not stand for the program", "printf a <<E \\\n  &>> rm &rm && pwd\n#\nE\n", "hit"],
    ["a lone dollar sign is a target of its own", "(2>$ rm -r a) (", "hit"]
  ])("in a text that no grammar reads: %s", (_, command, expected) => {
    expect(ruleHits(command, "rm *")).toBe(expected)
  })

  it("a name that braces put together is not known, where only the words of the text are", () => {
    const heads = splitByQuotes("time {a,r}m x", "/home/u").map(({ words }) => words[0]?.literal)
    expect(heads).toContain(DYNAMIC)
  })

  it("every tail of an unknown program counts", () => {
    expect(ruleHits("a b c rm -r x", "rm *")).toBe("hit")
    expect(ruleHits("a --run=rm x", "rm *")).toBe("hit")
    expect(ruleHits("a /usr/bin/rm x", "rm *")).toBe("hit")
  })

  it("flags before a sub-command do not hide it", () => {
    expect(ruleHits("git -C /x --no-pager push origin", "git push *")).toBe("hit")
    expect(ruleHits("sudo git -c a=b push", "git push *")).toBe("hit")
    expect(ruleHits("npm --prefix x publish", "npm publish *")).toBe("hit")
    expect(ruleHits("git status", "git push *")).toBeUndefined()
  })

  it("takes time in proportion to the text", () => {
    for (const unit of [
      "rm ",
      "( ",
      "$( ",
      '" ',
      "` ",
      "{ ",
      "a; ",
      "'$(",
      "\\",
      "<(",
      "$'",
      "sudo ",
      "watch ",
      "eval ",
      "sh -c ",
      "xargs ",
      "find -exec "
    ]) {
      expect(ruleHits(unit.repeat(500), "zz * zz")).not.toBe("hit")
    }
  })
})
