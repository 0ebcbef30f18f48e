/** Sentences about files: read, list, search, write, replace, remember. */
import { Result } from "effect"
import type { SettledCall, Turn } from "./conversation.ts"
import type { PlannedCall, Step } from "./entry.ts"
import type { Rule } from "./phrases.ts"
import { afterSuccess, calling, writing } from "./steps.ts"
import { isQuoted, looksLikePath, pathFrom, QUOTED, QUOTED_OR_WORD, sentence, unquote } from "./words.ts"

const READ = sentence(
  String.raw`(?:read|show|open|cat|view|print|display|look\s+at)\s+(?:me\s+)?(?:the\s+)?`,
  String.raw`(?:files?\s+|contents?\s+of\s+)?(?:the\s+)?`,
  "(.+?)",
  String.raw`(?:,?\s+lines?\s+(\d+)(?:\s*(?:-|–|to)\s*(\d+))?)?`
)
const AND = /\s*,\s*(?:and\s+)?|\s+and\s+|\s+/i

const range = (from: string | undefined, to: string | undefined): Readonly<Record<string, number>> => {
  if (from === undefined) return {}
  const offset = Math.max(1, Number(from))
  return { offset, limit: Math.max(1, Number(to ?? from) - offset + 1) }
}

/** read FILE, read A and B (in parallel), read FILE lines 10-20 */
export const read: Rule = ({ core, turn }) => {
  const match = READ.exec(core)
  if (match === null) return undefined
  const said = match[1] ?? ""
  const words = isQuoted(said) ? [said] : said.split(AND).filter((word) => word !== "")
  if (words.length === 0 || !words.every(looksLikePath)) return undefined
  const calls = words.map((word): PlannedCall => ({
    name: "Read",
    input: { file_path: pathFrom(turn, word), ...range(match[2], match[3]) }
  }))
  return [calling(`Reading ${words.map(unquote).join(" and ")}.`, ...calls)]
}

const LIST = sentence(
  String.raw`(?:list|find|show|glob)\s+(?:me\s+)?(all\s+)?(?:the\s+)?(?:(${QUOTED_OR_WORD})\s+)?files`,
  String.raw`(?:\s+(?:matching\s+|named\s+|called\s+|like\s+)?(?!in\s)(${QUOTED_OR_WORD}))?`,
  String.raw`(?:\s+in\s+(.+))?`
)
const LIST_GLOB = sentence(String.raw`(?:list|find|glob)\s+(${QUOTED_OR_WORD})(?:\s+in\s+(.+))?`)
const HERE = /^(?:here|(?:this|the)\s+(?:project|repo|repository|directory|folder|workspace)|all\s+files|\.)$/i

const placeIn = (turn: Turn, said: string | undefined): Readonly<Record<string, string>> =>
  said === undefined || HERE.test(said.trim()) ? {} : { path: pathFrom(turn, said.replace(/^the\s+/i, "")) }

const globCall = (pattern: string, place: Readonly<Record<string, string>>): ReadonlyArray<Step> => [
  calling(`Looking for files matching ${pattern}.`, { name: "Glob", input: { pattern, ...place } })
]

/** list files, list all files, find files *.ts in src, find *.md */
export const list: Rule = ({ core, turn }) => {
  const match = LIST.exec(core)
  if (match !== null) {
    const said = match[3] ?? match[2]
    const pattern = said === undefined ? (match[1] === undefined ? "*" : "**/*") : unquote(said)
    return globCall(pattern, placeIn(turn, match[4]))
  }
  const glob = LIST_GLOB.exec(core)
  const pattern = unquote(glob?.[1] ?? "")
  return /[*?{]/.test(pattern) ? globCall(pattern, placeIn(turn, glob?.[2])) : undefined
}

const SEARCH = sentence(
  String.raw`(search|grep|look\s+for|find)(?:\s+(?:(?:the|my|this)\s+)?(?:code|files|project|repo))?(?:\s+for)?`,
  String.raw`\s+(?:the\s+(?:word|text|string)\s+)?(${QUOTED}|.+?)`,
  String.raw`(?:\s+(?:in|inside|under)\s+((?:this|the)\s+\w+|all\s+files|${QUOTED_OR_WORD}))?`
)

const isRegExp = (source: string): boolean => Result.isSuccess(Result.try(() => new RegExp(source)))

/** Words that are not a regular expression are searched as they are. */
const searchPattern = (said: string): string =>
  isQuoted(said) || isRegExp(said) ? unquote(said) : said.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

/** search for import in src, grep `a.b` in *.ts */
export const search: Rule = ({ core, turn }) => {
  const [, verb, said, place] = SEARCH.exec(core) ?? []
  if (said === undefined || (verb?.toLowerCase() === "find" && !isQuoted(said) && place === undefined)) return undefined
  const pattern = searchPattern(said)
  const where = place === undefined ? "" : unquote(place)
  const scope = /[*?{]/.test(where) ? { glob: where } : placeIn(turn, place)
  return [calling(`Searching for ${pattern}.`, { name: "Grep", input: { pattern, ...scope, output_mode: "content" } })]
}

const WRITE = sentence(
  String.raw`(?:write|create|make|save)\s+(?:a\s+|the\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?`,
  String.raw`(${QUOTED_OR_WORD})\s+(?:with|containing|saying|that\s+says)`,
  String.raw`(?:\s+(?:the\s+)?(?:text|contents?)(?=\s*:|\s+[${"`"}"']))?\s*:?\s*([\s\S]+)`
)
const WRITE_TO = sentence(String.raw`(?:write|save|put)\s+(${QUOTED})\s+(?:to|into|in)\s+(?:the\s+)?(?:file\s+)?(\S+)`)

/** write FILE with TEXT, create a file FILE containing "TEXT", write "TEXT" to FILE */
export const write: Rule = ({ text, core, turn }) => {
  const match = WRITE.exec(text)
  const turned = WRITE_TO.exec(core)
  const file = match?.[1] ?? turned?.[2]
  const content = match?.[2] ?? turned?.[1]
  if (file === undefined || content === undefined || !looksLikePath(file)) return undefined
  return writing(`Writing ${unquote(file)}.`, [{ path: pathFrom(turn, file), content: unquote(content) }])
}

const REPLACE = sentence(
  String.raw`(?:replace|change|substitute)\s+(all\s+|every\s+)?(${QUOTED_OR_WORD})`,
  String.raw`\s+(?:with|by|to|into)\s+(${QUOTED_OR_WORD})(\s+everywhere)?`,
  String.raw`\s+in\s+(?:the\s+)?(?:file\s+)?(${QUOTED_OR_WORD})`
)

/** replace `A` with `B` in FILE; an edit needs a file that was read */
export const replace: Rule = ({ core, turn }) => {
  const [, all, before = "", after = "", everywhere, file] = REPLACE.exec(core) ?? []
  if (file === undefined || unquote(before) === "" || !looksLikePath(file)) return undefined
  const filePath = pathFrom(turn, file)
  const input = {
    file_path: filePath,
    old_string: unquote(before),
    new_string: unquote(after),
    ...(all === undefined && everywhere === undefined ? {} : { replace_all: true })
  }
  return [
    calling(`Reading ${unquote(file)} before I edit it.`, { name: "Read", input: { file_path: filePath } }),
    afterSuccess(calling("Making the replacement.", { name: "Edit", input }))
  ]
}

const REMEMBER = /^remember\s+(?:that\s+|to\s+(?=\S))?:?\s*([\s\S]+)$/i
const NUMBERED = /^\s*(\d+)\t(.*)$/

/** The file's lines as Read numbers them. */
const linesOf = (call: SettledCall): ReadonlyArray<string> =>
  call.result.split("\n").flatMap((line) => {
    const match = NUMBERED.exec(line)
    return match === null ? [] : [match[2] ?? ""]
  })

/** The shortest end of the file, in whole lines, that occurs once: what an edit can be hung on. */
const uniqueEnd = (lines: ReadonlyArray<string>): string => {
  const whole = lines.join("\n")
  for (let count = 1; count < lines.length; count++) {
    const end = lines.slice(-count).join("\n")
    if (end.trim() !== "" && whole.indexOf(end) === whole.lastIndexOf(end)) return end
  }
  return whole
}

/** remember TEXT: one bullet at the end of the memory index, or of the project's instructions */
export const remember: Rule = ({ text, turn }) => {
  const note = REMEMBER.exec(text)?.[1]?.trim()
  if (note === undefined) return undefined
  const path = turn.memoryDir === undefined ? pathFrom(turn, "CLAUDE.md") : `${turn.memoryDir}/MEMORY.md`
  const bullet = `- ${note.replaceAll(/\s*\n\s*/g, " ")}`
  const looked = (now: Turn): SettledCall | undefined =>
    now.latest.find((call) => call.name === "Read" && call.input["file_path"] === path)
  const append: Step = (now) => {
    const call = looked(now)
    if (call?.outcome !== "succeeded") return undefined
    const end = uniqueEnd(linesOf(call))
    const input = { file_path: path, old_string: end, new_string: end === "" ? `${bullet}\n` : `${end}\n${bullet}` }
    return { text: "Adding the note.", tools: [{ name: "Edit", input }] }
  }
  const create: Step = (now) =>
    looked(now)?.outcome === "failed"
      ? { text: "Starting the file.", tools: [{ name: "Write", input: { file_path: path, content: `${bullet}\n` } }] }
      : undefined
  return [calling(`Looking at ${path}.`, { name: "Read", input: { file_path: path } }), append, create]
}
