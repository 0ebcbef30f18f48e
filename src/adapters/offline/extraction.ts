/** What the offline model finds worth remembering: sentences of the user with signs of something that lasts. */
import type { Turn } from "./conversation.ts"
import type { Step } from "./entry.ts"
import { remember } from "./phrase-files.ts"
import { writing } from "./steps.ts"
import { firstWords } from "./words.ts"

const SAID = /<user>([\s\S]*?)<\/user>/g
const LASTING =
  /(?:^|[.!?\n]\s*)((?:(?:i|we)\s+(?:prefer|always|never|usually|use)|my\s+name\s+is|call\s+me|from\s+now\s+on)\b[^.!?\n]*)/i

const TITLE_WORDS = 6

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "") || "note"

const topicOf = (title: string, fact: string): string =>
  ["---", `name: ${title}`, `description: ${fact}`, "type: user", "source: conversation", "---", "", `${fact}.`, ""].join(
    "\n"
  )

/** The calls that keep what was said; undefined when nothing of it lasts. */
export const extractionSteps = (turn: Turn): ReadonlyArray<Step> | undefined => {
  const said = [...turn.prompt.matchAll(SAID)].map((match) => match[1] ?? "")
  const fact = said.map((text) => LASTING.exec(text)?.[1]?.trim()).find((found) => found !== undefined)
  if (fact === undefined || turn.memoryDir === undefined) return undefined
  const title = firstWords(fact, TITLE_WORDS)
  const name = `${slugOf(title)}.md`
  const index = `remember that [${title}](${name})`
  const topic = writing("Keeping it.", [{ path: `${turn.memoryDir}/${name}`, content: topicOf(title, fact) }])
  return [...topic, ...(remember({ text: index, core: index, turn }) ?? [])]
}
