import { expect, it } from "vitest"
import { begin, beginNested } from "../../../../src/core/context/instructions/discover.ts"
import { explainInstruction } from "../../../../src/core/context/instructions/explain.ts"
import { CWD, finish, placeOf, smallDisk } from "./small-disk.ts"

const { answer } = smallDisk({
  [`${CWD}/CLAUDE.md`]: "top @docs/a.md @/srv/x.md",
  [`${CWD}/docs/a.md`]: "a",
  "/srv/x.md": "x",
  [`${CWD}/.claude/rules/r.md`]: "---\npaths: src/**\n---\nrule @../../docs/b.md",
  [`${CWD}/docs/b.md`]: "b",
  [`${CWD}/sub/CLAUDE.md`]: "nested",
  [`${CWD}/README.md`]: "readme"
})

it.each<[path: string, isRead: boolean, why: RegExp]>([
  ["CLAUDE.md", true, /first prompt: instructions of the project/],
  ["docs/a.md", true, /imported by .*work\/CLAUDE\.md/],
  [".claude/rules/r.md", true, /files that match src\/\*\*$/],
  ["docs/b.md", true, /files that match src\/\*\*, imported by .*r\.md/],
  ["sub/CLAUDE.md", true, /first file of its folder/],
  ["../../../srv/x.md", false, /waits for approval/],
  ["README.md", false, /nothing that is read names it/]
])("%s: it is said whether it is read and why", (name, isRead, why) => {
  const path = name.startsWith("..") ? "/srv/x.md" : `${CWD}/${name}`
  const found = finish(begin(placeOf()), answer)
  const touched = { path: `${path}-`, realPath: `${path}-` }
  const nested = finish(beginNested({ place: placeOf(), touched, known: new Set(), rules: found.rules }), answer)
  expect(explainInstruction(path, found, nested)).toMatchObject({ path, isRead, why: expect.stringMatching(why) })
})
