/** The keys that search without a search line. */
import { withBell } from "../state/transcript-list.ts"
import { type Command, timesOf, type ListCommands } from "../state/motion.ts"
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

export const SEARCH_COMMANDS = {
  "pane:searchNext": repeat(true),
  "pane:searchPrevious": repeat(false),
  "pane:searchWord": word(1),
  "pane:searchWordBack": word(-1),
  "transcript:nextMention": mention(1),
  "transcript:previousMention": mention(-1)
} satisfies ListCommands
