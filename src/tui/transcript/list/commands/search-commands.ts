/** The keys that search without a search line. */
import { withBell } from "../state/transcript-list.ts"
import { type Command, timesOf } from "../state/motion.ts"
import { fileAt } from "./objects.ts"
import { repeatSearch, searchMention, searchWord } from "./search.ts"

const repeat =
  (same: boolean): Command =>
  (list, request, context) =>
    repeatSearch(list, { count: timesOf(request), same }, context)

const word =
  (direction: 1 | -1): Command =>
  (list, request, context) =>
    searchWord(list, { direction, count: timesOf(request) }, context)

/** The next place that names the file under the cursor. */
const mention =
  (direction: 1 | -1): Command =>
  (list, request, context) => {
    const path = fileAt(list, context)
    if (path === undefined) return withBell(list)
    return searchMention(list, path, { direction, count: timesOf(request), context })
  }

const noHighlight: Command = (list) => ({ ...list, search: { ...list.search, highlighted: false } })

export const SEARCH_COMMANDS: Readonly<Record<string, Command>> = {
  n: repeat(true),
  N: repeat(false),
  "*": word(1),
  "#": word(-1),
  "]f": mention(1),
  "[f": mention(-1),
  ":noh": noHighlight
}
