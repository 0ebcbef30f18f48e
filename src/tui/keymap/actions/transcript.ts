import { row, table } from "./action.ts"

/** The transcript: motions over its source and by structure, operators, and actions on the message at the cursor. */
const MOTIONS = [
  row("transcript:lineStart", ["0", "<Home>"], "start of the line"),
  row("transcript:firstNonBlank", ["^"], "first character of the line"),
  row("transcript:lineEnd", ["$", "<End>"], "end of the line"),
  row("transcript:lastNonBlank", ["g_"], "last character of the line"),
  row("transcript:word", ["w"], "next word"),
  row("transcript:wordBack", ["b"], "previous word"),
  row("transcript:wordEnd", ["e"], "end of the word"),
  row("transcript:bigWord", ["W"], "next WORD"),
  row("transcript:bigWordBack", ["B"], "previous WORD"),
  row("transcript:bigWordEnd", ["E"], "end of the WORD"),
  row("transcript:wordEndBack", ["ge"], "end of the previous word"),
  row("transcript:bigWordEndBack", ["gE"], "end of the previous WORD"),
  row("transcript:column", ["|"], "column at count"),
  row("transcript:bracket", ["%"], "matching bracket"),
  row("transcript:parenthesisBefore", ["[("], "opening parenthesis around"),
  row("transcript:parenthesisAfter", ["])"], "closing parenthesis around"),
  row("transcript:braceBefore", ["[{"], "opening brace around"),
  row("transcript:braceAfter", ["]}"], "closing brace around"),
  row("transcript:find", ["f"], { description: "to a character on the line", takes: "character" }),
  row("transcript:findBack", ["F"], { description: "back to a character on the line", takes: "character" }),
  row("transcript:till", ["t"], { description: "before a character on the line", takes: "character" }),
  row("transcript:tillBack", ["T"], { description: "back to after a character on the line", takes: "character" }),
  row("transcript:repeatFind", [";"], "repeat the last character search"),
  row("transcript:repeatFindBack", [","], "repeat the last character search the other way"),
  row("transcript:rowDown", ["gj"], "row below on the screen"),
  row("transcript:rowUp", ["gk"], "row above on the screen"),
  row("transcript:pagerDown", ["<Space>"], { description: "a page down", pager: true }),
  row("transcript:pagerUp", ["<S-Space>"], { description: "a page up", pager: true })
]

const STRUCTURE = [
  ["m", "Message", "message"],
  ["a", "Answer", "assistant message"],
  ["t", "Call", "tool call"],
  ["T", "SameTool", "call of the same tool"],
  ["e", "Error", "error, failed or denied call"],
  ["d", "Diff", "file edit"],
  ["c", "Hunk", "hunk"],
  ["f", "Mention", "mention of the same file"],
  ["b", "Code", "code block"],
  ["k", "Thinking", "thinking block"],
  ["s", "Boundary", "compaction"],
  ["q", "Decision", "question or permission decision"]
] as const

const STRUCTURAL = [
  row("transcript:nextPrompt", ["]u"], "next prompt of yours"),
  row("transcript:previousPrompt", ["[u"], "previous prompt of yours"),
  row("transcript:nextTurn", ["}"], "next turn; the jump list keeps where you were"),
  row("transcript:previousTurn", ["{"], "previous turn; the jump list keeps where you were"),
  ...STRUCTURE.flatMap(([letter, name, what]) => [
    row(`transcript:next${name}`, [`]${letter}`], `next ${what}`),
    row(`transcript:previous${name}`, [`[${letter}`], `previous ${what}`)
  ]),
  row("transcript:nextParagraph", [")"], "next paragraph"),
  row("transcript:previousParagraph", ["("], "previous paragraph"),
  row("transcript:nextUnread", ["gn"], "next unread item"),
  row("transcript:previousUnread", ["gp"], "previous unread item")
]

const SELECTING = [
  row("transcript:visual", ["v"], "select by characters"),
  row("transcript:visualLine", ["V"], "select by source lines"),
  row("transcript:visualBlock", ["<C-v>"], "select a rectangle of the screen"),
  row("transcript:swapEnds", ["o"], "go to the other end of the selection"),
  row("transcript:reselect", ["gv"], "select the same again"),
  row("transcript:yank", ["y"], { description: "yank", takes: "motion" }),
  row("transcript:yankLine", ["Y"], "yank the line"),
  row("transcript:quote", ["gy"], { description: "quote in the prompt", takes: "motion" }),
  row("transcript:pipe", ["!"], { description: "pipe through a shell command", takes: "motion" }),
  row("transcript:putInPrompt", ["p"], "put the register into the prompt")
]

const ACTIONS = [
  row("transcript:toggleShowAll", ["<C-e>"], { description: "show everything or less", only: "inline" }),
  row("transcript:exit", ["q"], "back to the prompt"),
  row("transcript:toScrollback", ["gS"], "print the transcript to the terminal's own scrollback"),
  row("transcript:openInEditor", ["go"], "open the transcript in your editor"),
  row("transcript:openPath", ["gf"], "open the path under the cursor in your editor"),
  row("transcript:openPathHere", ["gF"], "open the path under the cursor in the output pane"),
  row("transcript:openLink", ["gx"], "open the link under the cursor (shows the target first)"),
  row("transcript:details", ["K"], "show tokens, model, times and the permission decision"),
  row("transcript:retry", ["<Leader>r"], "send the last prompt or failed request again"),
  row("transcript:edit", ["<Leader>e"], "edit the message and go on from there"),
  row("transcript:fork", ["<Leader>f"], "fork a session from here"),
  row("transcript:rewind", ["<Leader>w"], "rewind to here"),
  row("transcript:summariseUpTo", ["<Leader>c"], "summarise what stands before the prompt"),
  row("transcript:summariseFrom", ["<Leader>C"], "summarise the prompt and what follows"),
  row("transcript:pin", ["<Leader>p"], "pin or unpin for compaction"),
  row("transcript:remember", ["<Leader>m"], "save the selection as a memory"),
  row("transcript:diff", ["<Leader>d"], "show the changes of this turn"),
  row("transcript:stop", ["<Leader>s"], "stop this running call"),
  row("transcript:undo", ["u"], "undo the last rewind, revert, compaction or pin"),
  row("transcript:redo", ["<C-r>"], "redo it")
]

export const TRANSCRIPT = table("Transcript", [...MOTIONS, ...STRUCTURAL, ...SELECTING, ...ACTIONS])
