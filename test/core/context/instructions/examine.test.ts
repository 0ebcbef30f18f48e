import { expect, it } from "vitest"
import { begin } from "../../../../src/core/context/instructions/discover.ts"
import { examineInstructions } from "../../../../src/core/context/instructions/examine.ts"
import { CWD, finish, placeOf, smallDisk } from "./small-disk.ts"

it("an examination says what is too long, left out or waits for approval", () => {
  const { answer } = smallDisk({
    [`${CWD}/CLAUDE.md`]: `${"line\n".repeat(201)}@/srv/x.md`,
    [`${CWD}/CLAUDE.local.md`]: { text: "x".repeat(40_001) },
    "/home/CLAUDE.md": { text: "planted", owner: 7 },
    [`${CWD}/.claude/rules/r.md`]: "---\npaths: src\n---\nrule",
    "/srv/x.md": "x"
  })
  const { facts, findings } = examineInstructions(finish(begin(placeOf()), answer))
  expect(facts["instructions"]).toMatch(/^2 at the start, about \d+ tokens; 1 with the files/)
  expect(findings.map(({ id, file, level }) => [id, file, level])).toEqual([
    ["instructions.left-out", "/home/CLAUDE.md", "warning"],
    ["instructions.outside", "/srv/x.md", "info"],
    ["instructions.size", `${CWD}/CLAUDE.md`, "info"],
    ["instructions.size", `${CWD}/CLAUDE.local.md`, "info"]
  ])
})
