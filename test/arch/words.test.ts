import { basename } from "node:path"
import { describe, expect, it } from "vitest"
import { documents, readText, repositoryFiles, type TextFile } from "./repository-files.ts"

/** Words that were here once and that a stranger would not search for or not say, with what is said instead. */
const WORDS: ReadonlyArray<readonly [gone: RegExp, instead: string]> = [
  [
    /(?<![Tt]here|[Ww]here|[Hh]ere) (?:is|are|was|were) no (?!longer\b|more\b|use\b|reason\b|matter\b|way\b|need\b)/,
    "is not a"
  ],
  [/\b(?:the|a) person\b|\bperson's\b/i, "the user, the user's"],
  [
    /\b(?:const|let) told\b|\b(?:problem|warning|error|line|value|rest)s? (?:is|are) told\b|\bis told (?:and|once)\b/,
    "reported"
  ],
  [/\bdeeds?\b/i, "action, undoable action"],
  [/\bworkshop\b/i, "services"],
  [/\bscenes?\b/i, "context"],
  [/\blet(?:s|ting)? go of\b|\blet-go\b|\bletGo\b/, "releases"],
  [/\bmend(?:s|ed|ing|able)?\b/i, "fix, restore"],
  [/\btak(?:e|es|en|ing) (?:it|them|that|this) back\b|\btaken back\b/i, "undo, withdraw, remove"],
  [/\b(?:and|or) (?:their|its) (?:like|kin|kind)\b|\band kin\b/, "and the like"],
  [/\bhands (?:that are|at work|are here)|under (?:fingers|hands)\b/i, "while the user types"],
  [/\bexpected a text\b/, "a string"],
  [/^(?:<{7} |>{7} |={7}$)/, "what both sides of a merge meant"],
  [/\bfor (?:whoever|somebody who) looks elsewhere\b/, "for a user who is elsewhere"]
]

/** Names of files that say nothing to somebody who searches. */
const FILE_NAMES = /^(?:told|deeds?|kept|let-go|fresh|workshop|scene)\b|^(?:misc|common|helpers?|utils?)\./

/** Numbers of requirements stand in no document of the repository. */
const REQUIREMENT = /\b(?:UI|SES|CM|CMD|T|S|P|L|H|HL|SKL|PLG|OST|AGT|TSK|MSG|TEAM|MCP|CP|RS|ACP)-\d+\b/

/** This list itself, and what is being rebuilt. */
const ELSEWHERE = /^test\/arch\/words|^(?:src|test)\/tui\/|revert-hunk/

const code = (room: string): ReadonlyArray<TextFile> =>
  repositoryFiles.filter((path) => path.startsWith(room) && /\.(?:ts|md)$/.test(path) && !ELSEWHERE.test(path)).map(readText)

const spoken: ReadonlyArray<TextFile> = [
  ...code("src/"),
  ...code("scripts/"),
  ...documents.filter(({ path }) => !path.startsWith("src/") && path !== "CHANGELOG.md")
]

const lines = (files: ReadonlyArray<TextFile>, gone: RegExp): ReadonlyArray<string> =>
  files.flatMap(({ path, lines: all }) =>
    all.flatMap((line, index) => (gone.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : []))
  )

describe("words", () => {
  it.each(WORDS)("%s does not come back: say %s", (gone) => {
    expect(lines(spoken, gone)).toEqual([])
  })

  it("name no requirement that stands in no document", () => {
    expect(lines([...spoken, ...code("test/")], REQUIREMENT)).toEqual([])
  })

  it("of file names say what is inside", () => {
    expect(repositoryFiles.filter((path) => path.startsWith("src/") && FILE_NAMES.test(basename(path)))).toEqual([])
  })

  it("stand in the glossary once", () => {
    const glossary = documents.find(({ path }) => path === "docs/GLOSSARY.md")?.lines ?? []
    const terms = glossary
      .filter((line) => line.startsWith("| ") && !line.startsWith("| term") && !line.startsWith("| ---"))
      .flatMap((line) => (line.split(" | ")[0] ?? "").slice(2).split(", "))
    expect(terms.length).toBeGreaterThan(100)
    expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([])
  })
})
