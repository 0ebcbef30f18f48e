import { row, table } from "./action.ts"

/** What every pane understands, and the letters of the list panes. */
export const PANE = table("Pane", [
  row("window:prefix", ["<C-w>"], "wait for a window key"),
  row("pane:left", ["h", "<Left>"], "left"),
  row("pane:down", ["j", "<Down>"], "down"),
  row("pane:up", ["k", "<Up>"], "up"),
  row("pane:right", ["l", "<Right>"], "right"),
  row("pane:top", ["gg"], "first line, or line at count"),
  row("pane:bottom", ["G"], "last line, or place at count percent"),
  row("pane:halfPageDown", ["<C-d>"], "half a page down"),
  row("pane:halfPageUp", ["<C-u>"], "half a page up"),
  row("pane:pageDown", ["<C-f>"], "a page down"),
  row("pane:pageUp", ["<C-b>"], "a page up"),
  row("pane:scrollDown", ["<C-e>"], "scroll a row down"),
  row("pane:scrollUp", ["<C-y>"], "scroll a row up"),
  row("pane:screenTop", ["H"], "top row of the screen"),
  row("pane:screenMiddle", ["M"], "middle row of the screen"),
  row("pane:screenBottom", ["L"], "bottom row of the screen"),
  row("pane:centreCursor", ["zz"], "scroll so that the cursor is in the middle"),
  row("pane:cursorAtTop", ["zt"], "scroll so that the cursor is at the top"),
  row("pane:cursorAtBottom", ["zb"], "scroll so that the cursor is at the bottom"),
  row("pane:scrollRight", ["zl"], "scroll code, diffs and tables a column to the right"),
  row("pane:scrollLeft", ["zh"], "scroll them a column to the left"),
  row("pane:scrollRightFar", ["zL"], "scroll them half a page to the right"),
  row("pane:scrollLeftFar", ["zH"], "scroll them half a page to the left"),
  row("pane:search", ["/"], "search forwards"),
  row("pane:searchBack", ["?"], "search backwards"),
  row("pane:searchNext", ["n"], "next match"),
  row("pane:searchPrevious", ["N"], "previous match"),
  row("pane:searchWord", ["*"], "search the word under the cursor"),
  row("pane:searchWordBack", ["#"], "search the word under the cursor backwards"),
  row("pane:open", ["<CR>"], "open"),
  row("pane:yank", ["y"], "yank the source text"),
  row("pane:leave", ["q", "i"], "back to the prompt"),
  row("pane:cancel", ["<Esc>"], "drop what was begun, the selection, the zoom; then back to the prompt"),
  row("pane:promptEnd", ["a", "A"], "to the end of the prompt"),
  row("pane:commandLine", [":"], "open the command line"),
  row("pane:keys", ["g?"], "show the keys of this pane"),
  row("pane:goToCall", ["gd"], "go to the call behind this"),
  row("pane:setMark", ["m"], { description: "set a mark", takes: "character" }),
  row("pane:goToMarkLine", ["'"], { description: "go to the line of a mark", takes: "character" }),
  row("pane:goToMark", ["`"], { description: "go to a mark", takes: "character" }),
  row("pane:jumpOlder", ["<C-o>"], "older place in the jump list"),
  row("pane:jumpNewer", ["<C-i>", "<Tab>"], "newer place in the jump list"),
  row("pane:register", ['"'], { description: "use a register for the next yank or put", takes: "character" }),
  row("pane:foldToggle", ["za"], "open or close the fold"),
  row("pane:foldOpen", ["zo"], "open the fold"),
  row("pane:foldClose", ["zc"], "close the fold"),
  row("pane:foldToggleDeep", ["zA"], "open or close the fold and those inside"),
  row("pane:foldOpenDeep", ["zO"], "open the fold and those inside"),
  row("pane:foldCloseDeep", ["zC"], "close the fold and those inside"),
  row("pane:foldOpenAll", ["zR"], "open all folds"),
  row("pane:foldCloseAll", ["zM"], "close all folds"),
  row("pane:foldLess", ["zr"], "open one more level of folds"),
  row("pane:foldMore", ["zm"], "close one more level of folds"),
  row("pane:foldNext", ["zj"], "next fold"),
  row("pane:foldPrevious", ["zk"], "previous fold"),
  row("pane:foldReveal", ["zv"], "open folds until the cursor is seen"),
  row("window:nextTab", ["gt"], "next tab page, or the one at count"),
  row("window:previousTab", ["gT"], "previous tab page")
])

export const LIST = table("List", [
  row("list:openFull", ["o"], "open in the output or changes pane"),
  row("list:stop", ["x"], "stop the selected call, shell or agent"),
  row("list:stopAll", ["X"], "stop all of them (asks)"),
  row("list:background", ["b"], "move the selected call to the background"),
  row("list:rerun", ["r"], "run the selected command again (asks)"),
  row("list:edit", ["e"], "open the selected file in your editor"),
  row("list:mention", ["@"], "mention the selected file in the prompt"),
  row("list:compact", ["c"], "summarise the conversation (asks)"),
  row("list:compactBefore", ["<"], "summarise what stands before the selected message (asks)"),
  row("list:compactFrom", [">"], "summarise from the selected message on (asks)"),
  row("list:clear", ["D"], "clear the selected result of a tool (asks)"),
  row("list:pin", ["P"], "pin or unpin the selected message")
])

export const DIFF = table("Diff", [
  row("changes:nextHunk", ["]c"], "next hunk"),
  row("changes:previousHunk", ["[c"], "previous hunk"),
  row("changes:nextFile", ["]f"], "next file"),
  row("changes:previousFile", ["[f"], "previous file"),
  row("changes:nextSource", ["<Right>"], "next source: working tree, session, each turn"),
  row("changes:previousSource", ["<Left>"], "previous source"),
  row("changes:openInEditor", ["gf"], "open in your editor at the line"),
  row("changes:yankHunk", ["yh"], "yank the hunk as a patch"),
  row("pane:yank", ["yy"], "yank the source text"),
  row("changes:acceptHunk", ["+"], "mark the hunk as accepted"),
  row("changes:revertHunk", ["-"], "revert the hunk (asks)"),
  row("changes:comment", ["c"], "comment on the hunk; :comments send tells the agent"),
  row("transcript:undo", ["u"], "undo the last revert or pin"),
  row("transcript:redo", ["<C-r>"], "redo it")
])

export const LOOP = table("Loop", [
  row("loop:retryNow", ["r"], "try again now instead of waiting"),
  row("loop:nextModel", ["m"], "let the next model answer instead of waiting"),
  row("loop:giveUp", ["x"], "end the turn")
])

export const APPROVALS = table("Approvals", [
  row("approvals:open", ["<CR>"], "open the question; answers are given only there")
])
