import { row, table } from "./action.ts"

/** The prompt and what opens around it. */
export const CHAT = table("Chat", [
  row("chat:cancel", ["escape"], "leave, dismiss or interrupt; twice: clear the prompt or select a message"),
  row("chat:clearInput", ["ctrl+l"], "draw the screen again; the text stays"),
  row("chat:clearScreen", ["cmd+k"], "scroll the transcript out of sight"),
  row("chat:cycleMode", ["shift+tab"], { description: "next permission mode", windows: ["shift+tab", "meta+m"] }),
  row("chat:modelPicker", ["meta+p"], "choose the model"),
  row("chat:thinkingToggle", ["meta+t"], "switch thinking"),
  row("chat:submit", ["enter"], "send"),
  row("chat:sendNow", ["ctrl+x enter"], "send at once: what runs ends, and this comes next"),
  row("chat:newline", ["ctrl+j", "shift+enter", "meta+enter"], "new line"),
  row("chat:undo", ["ctrl+_", "ctrl+shift+-"], "undo the last change of the text"),
  row("chat:externalEditor", ["ctrl+g", "ctrl+x ctrl+e"], "edit the text in your editor"),
  row("chat:stash", ["ctrl+s"], "put the text aside; on an empty prompt: bring it back"),
  row("chat:imagePaste", ["ctrl+v"], {
    description: "paste an image",
    windows: ["alt+v"],
    wsl: ["ctrl+v", "alt+v"]
  }),
  row("history:previous", ["up", "ctrl+p"], "row above; from the first row: older prompt"),
  row("history:next", ["down", "ctrl+n"], "row below; from the last row: newer prompt"),
  row("chat:indent", ["ctrl+x ctrl+t"], "indent the line"),
  row("chat:dedent", ["ctrl+x ctrl+d"], "dedent the line"),
  row("chat:insertRegister", ["ctrl+x ctrl+r"], { description: "insert a register", takes: "character" })
])

export const AUTOCOMPLETE = table("Autocomplete", [
  row("autocomplete:accept", ["tab"], "take the selected suggestion"),
  row("autocomplete:dismiss", ["escape"], "close the menu; the text stays"),
  row("autocomplete:previous", ["up", "ctrl+p"], "previous suggestion"),
  row("autocomplete:next", ["down", "ctrl+n"], "next suggestion"),
  row("autocomplete:pageUp", ["pageup"], "a page of suggestions up"),
  row("autocomplete:pageDown", ["pagedown"], "a page of suggestions down")
])

export const HISTORY_SEARCH = table("HistorySearch", [
  row("historySearch:next", ["ctrl+r"], "next match"),
  row("historySearch:accept", ["escape", "tab"], { description: "put the match into the prompt", only: "inline" }),
  row("historySearch:cancel", ["ctrl+c"], { description: "restore what was typed", only: "inline" }),
  row("historySearch:execute", ["enter"], { description: "send the match", only: "inline" }),
  row("historySearch:place", ["enter", "tab"], { description: "put the entry into the prompt", only: "fullscreen" }),
  row("historySearch:dismiss", ["escape"], { description: "restore what was typed", only: "fullscreen" }),
  row("historySearch:older", ["down", "ctrl+n"], "older entry"),
  row("historySearch:newer", ["up", "ctrl+p"], "newer entry"),
  row("historySearch:pageDown", ["pagedown"], "a page of older entries"),
  row("historySearch:pageUp", ["pageup"], "a page of newer entries"),
  row("historySearch:cycleScope", ["ctrl+s"], "search this session, this project or everything")
])

/** `<C-x>` is a chord prefix; alone it reaches vim when no second key follows in time. */
export const PROMPT_NORMAL = table(
  "Prompt.normal",
  [
    row("window:prefix", ["<C-w>"], "wait for a window key"),
    row("pane:commandLine", [":"], "open the command line"),
    row("scroll:halfPageUp", ["<C-u>"], "half a page up in the transcript"),
    row("prompt:decrement", ["<C-x>"], "subtract from the number under the caret, when no chord follows")
  ],
  ["<C-r>", "<C-v>", "<C-j>"]
)

export const PROMPT_VISUAL = table(
  "Prompt.visual",
  [
    row("window:prefix", ["<C-w>"], "wait for a window key"),
    row("pane:commandLine", [":"], "open the command line with the range of the selection"),
    row("prompt:decrement", ["<C-x>"], "subtract from the numbers in the selection, when no chord follows")
  ],
  ["<C-r>", "<C-v>", "<CR>", "<Up>", "<Down>", "<C-p>", "<C-n>"]
)

export const COMMAND_LINE = table("CommandLine", [
  row("commandLine:accept", ["enter"], "run the command or keep the match"),
  row("commandLine:cancel", ["escape"], "close the line; a search returns to where it began"),
  row("commandLine:previous", ["up", "ctrl+p"], "older entry"),
  row("commandLine:next", ["down", "ctrl+n"], "newer entry"),
  row("commandLine:complete", ["tab"], "complete"),
  row("commandLine:completePrevious", ["shift+tab"], "previous completion"),
  row("commandLine:nextMatch", ["ctrl+g"], "next match while typing a search"),
  row("commandLine:previousMatch", ["ctrl+t"], "previous match while typing a search")
])
