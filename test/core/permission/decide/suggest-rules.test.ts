import { describe, expect, it } from "vitest"
import { suggestedRules } from "../../../../src/core/permission/decide/suggest-rules.ts"
import { analysed } from "../bash/analysing.ts"

const suggested = (command: string): ReadonlyArray<string> =>
  suggestedRules(analysed(command).parts).map(({ tool, specifier }) => `${tool}(${specifier ?? ""})`)

describe("suggested rules", () => {
  it.each([
    ["npm run lint", ["Bash(npm run lint *)"]],
    ["npm run lint -- --fix", ["Bash(npm run lint *)"]],
    ["npm test", ["Bash(npm test *)"]],
    ["git commit -m 'a b'", ["Bash(git commit *)"]],
    ["cargo test -p x", ["Bash(cargo test *)"]],
    ["gh pr list", ["Bash(gh pr list *)"]],
    ["docker compose up -d", ["Bash(docker compose up *)"]],
    ["timeout 30 npm test -- a", ["Bash(npm test *)"]],
    ["make", ["Bash(make)"]],
    ["make build", ["Bash(make build *)"]],
    ["python3 a.py", ["Bash(python3 a.py)"]],
    ["npx vitest", ["Bash(npx vitest)"]],
    ["sudo ls", ["Bash(sudo ls)"]],
    ["bash x.sh", ["Bash(bash x.sh)"]],
    ["docker run x", ["Bash(docker run x)"]],
    ["npm exec x", ["Bash(npm exec x)"]],
    ["npm run", ["Bash(npm run)"]],
    ["git reset --hard", ["Bash(git reset --hard)"]],
    ["git -C x commit", ["Bash(git -C x commit)"]],
    ["cp a  b", ["Bash(cp a b)"]],
    ["echo $X", ["Bash(echo $X)"]],
    ["rm *.o", []],
    ["rm -rf ~", []],
    ["*", []],
    ["cd /srv/x", ["Read(//srv/x/**)"]],
    ["make > out.log", ["Bash(make)", "Edit(//work/out.log)"]],
    ["npm test && npm test", ["Bash(npm test *)"]],
    ["a1; a2; a3; a4; a5; a6", ["Bash(a1)", "Bash(a2)", "Bash(a3)", "Bash(a4)", "Bash(a5)"]],
    ["sh -c 'npm test'", ["Bash(sh -c 'npm test')"]],
    ['npm "run" x', ['Bash(npm "run" x)']]
  ])("%s", (command, expected) => {
    expect(suggested(command)).toEqual(expected)
  })
})
