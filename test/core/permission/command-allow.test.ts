import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { plainWords } from "../../../src/core/permission/command-proof.ts"
import type { Verdict } from "../../../src/core/permission/verdict.ts"
import { decideIn, shell, verdictOn } from "./fixture.ts"

const RANK: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 }

describe("allow rules for commands", () => {
  it.each([
    ["Bash(ls)", "ls", true],
    ["Bash(ls)", "ls -l", false],
    ["Bash(ls *)", "ls", true],
    ["Bash(ls *)", "ls -la src", true],
    ["Bash(ls *)", "lsof", false],
    ["Bash(ls:*)", "ls -la", true],
    ["Bash(ls:*)", "lsof", false],
    ["Bash(ls*)", "lsof", true],
    ["Bash(npm run *)", "npm run lint", true],
    ["Bash(npm run lint)", "npm   run  lint", true],
    ["Bash(git * main)", "git checkout main", true],
    ["Bash(git commit *)", 'git commit -m "fix (all) the things!"', true],
    ["Bash(git commit *)", "git commit -m 'a # b'", true],
    ["Bash(git log *)", 'git log --format="%h %s"', true],
    ["Bash(git log *)", 'git log "--output=x"', false],
    ["Bash(git status)", 'git "status"', false],
    ["Bash(echo *)", 'echo "$SECRET"', false],
    ["Bash(echo *)", "echo *", false],
    ["Bash(echo *)", "echo {a,b}", false],
    ["Bash(echo *)", "echo ~other", false],
    ["Bash(ls *)", "ls ~/x", false],
    ["Bash(git show *)", "git show HEAD~1", true],
    ["Bash(echo *)", "echo b=~root", false],
    ["Bash(ls *)", "'ls' x", false],
    ["Bash(ls *)", "X=1 ls", false],
    ["Bash(ls *)", "timeout 5 ls", false],
    ["Bash(cat *)", "cat src/a.ts", true],
    ["Bash(cat *)", "cat ../a", false],
    ["Bash(cat *)", "cat /etc/passwd", false],
    ["Bash(cat *)", "cat /work/a", true],
    ["Bash(cat /etc/passwd)", "cat /etc/passwd", true],
    ["Bash(cat *)", "cat /proc/1/environ", false],
    ["Bash(make | tee log)", "make | tee log", true],
    ["Bash(make *)", "make | tee log", false],
    ["Bash", "make 2>&1 | tee log; echo $X", true],
    ["Bash(git *)", "git reset --hard", false],
    ["Bash(git reset *)", "git reset --hard", true],
    ["Bash(git reset --hard)", "git reset --hard", true],
    ["Bash(git *)", "git status", true],
    ["Bash(git *)", "git push", true],
    ["Bash(git *)", "git push -f", false],
    ["Bash(git *)", "git push origin +main", false],
    ["Bash(git *)", "git clean -fd", false],
    ["Bash(git *)", "git checkout -- a", false],
    ["Bash(git *)", "git restore a", false],
    ["Bash(git *)", "git restore --staged a", true],
    ["Bash(git *)", "git branch -D x", false],
    ["Bash(git *)", "git stash drop", false],
    ["Bash(find *)", "find . -name a", true],
    ["Bash(find *)", "find . -delete", false],
    ["Bash(find *)", "find . -exec echo x +", false],
    ["Bash(python3 *)", "python3 a.py", true],
    ["Bash(python3 *)", "python3 -c 'print 1'", false],
    ["Bash(python3 -c *)", "python3 -c 'print 1'", true],
    ["Bash(chmod *)", "chmod -R 777 src", false],
    ["Bash(export *)", "export A=1", false],
    ["Bash(eval *)", "eval ls", false],
    ["Bash(s* ls)", "sudo ls", false],
    ["Bash(sudo *)", "sudo ls", true]
  ])("%s on `%s`: %s", (rule, command, expected) => {
    expect(verdictOn({ allow: [rule] }, shell(command))).toBe(expected ? "allow" : "ask")
  })

  const WIDENING: ReadonlyArray<(command: string) => string> = [
    (c) => `${c}; x`,
    (c) => `${c} && x`,
    (c) => `${c} || x`,
    (c) => `${c} | x`,
    (c) => `${c} & x`,
    (c) => `${c}\nx`,
    (c) => `${c}\r\nx`,
    (c) => `${c} $(x)`,
    (c) => `${c} \`x\``,
    (c) => `${c} <(x)`,
    (c) => `${c} > x`,
    (c) => `${c} < x`,
    (c) => `${c} $X`,
    (c) => `${c} "$X"`,
    (c) => `${c} \${X}`,
    (c) => `${c} \\\nx`,
    (c) => `${c} 'x`,
    (c) => `${c} "x`,
    (c) => `${c}\u00a0x`,
    (c) => `${c} \u202ex`,
    (c) => `${c} # x`,
    (c) => `${c} *`,
    (c) => `${c} {a,b}`,
    (c) => `X=1 ${c}`,
    (c) => `sudo ${c}`,
    (c) => `( ${c} )`,
    (c) => `{ ${c}; }`,
    (c) => `! ${c}`,
    (c) => `if true; then ${c}; fi`,
    (c) => `eval '${c}'`
  ]

  it("a pattern covers nothing that was added to a covered command", () => {
    const command = fc.constantFrom("ls -l src", "git status", "npm test", "cat 'a b'", "echo hello")
    fc.assert(
      fc.property(command, fc.constantFrom(...WIDENING), (covered, widen) => {
        const setting = { allow: ["Bash(ls *)", "Bash(git *)", "Bash(npm *)", "Bash(cat *)", "Bash(echo *)"] }
        expect(verdictOn(setting, shell(covered))).toBe("allow")
        const wide = widen(covered)
        expect(RANK[verdictOn(setting, shell(wide))], wide).toBeGreaterThan(RANK.allow)
      }),
      { numRuns: 300 }
    )
  })

  it("plain words are exactly what the shell would pass on", () => {
    const word = fc.constantFrom("a", "b-c", "'x y'", '"p q"', "d=e", "/f/g", "--h", "i'j k'l", "\"m'n\"")
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), (words) => {
        const values = plainWords(["cmd", ...words].join("  "))?.map(({ text }) => text)
        const expected = words.map(
          (text) => text.replaceAll(
            /'([^']*)'(?!.*")|"([^"]*)"/g, (_, one: string | undefined, two: string | undefined) => one ?? two ?? ""
          )
        )
        expect(values).toEqual(["cmd", ...expected])
      })
    )
  })
})

describe("damage nothing lifts", () => {
  it.each([
    "rm -rf /",
    "rm -rf /*",
    "rm -rf //",
    "rm -rf /usr",
    "rm -rf ~",
    "rm -rf ~/",
    "rm -rf $HOME",
    'rm -rf "$D"/*',
    "rm -rf $D/",
    "rm -rf .",
    "rm -rf ..",
    "rm -rf *",
    "rm -rf ./*",
    "rm -rf /work",
    "rm -r /home/u",
    "sudo rm -rf /",
    "sh -c 'rm -rf /'",
    "echo x && rm -rf /",
    "rmdir /work",
    "find / -delete",
    "dd if=x of=/dev/sda",
    "mkfs.ext4 /dev/sda1",
    "chmod -R 777 /",
    ":(){ :|:& };:"
  ])("%s", (command) => {
    for (const mode of ["default", "bypassPermissions"] as const) {
      const { verdict, immune } = decideIn({ mode, allow: ["Bash", `Bash(${command})`] }, { need: shell(command) })
      expect({ verdict, immune }).toEqual({ verdict: "ask", immune: true })
    }
    expect(verdictOn({ mode: "dontAsk", allow: ["Bash"] }, shell(command))).toBe("deny")
  })

  it.each(
    [
      "rm -rf dist", "rm a", "rm -rf /work/dist", "rm -rf /tmp/x", "find . -name x -delete", "dd if=a of=b",
      "git rm /", "echo rm -rf /"
    ]
  )(
    "ordinary removal: %s",
    (command) => {
      expect(verdictOn({ mode: "bypassPermissions" }, shell(command))).toBe("allow")
    }
  )
})
