import { row, table } from "./action.ts"

/** Dialogs that ask something, and the lists and tabs inside them. */
export const CONFIRMATION = table("Confirmation", [
  row("confirm:yes", ["y"], "yes"),
  row("confirm:no", ["n"], "no"),
  row("confirm:choose", ["enter"], "answer with the marked option"),
  row("confirm:leave", ["escape"], "leave the field; decline"),
  row("confirm:previous", ["up", "k", "ctrl+p"], "previous option"),
  row("confirm:next", ["down", "j", "ctrl+n"], "next option"),
  row("confirm:nextField", ["tab"], "open a comment; next field"),
  row("confirm:previousField", [], "previous field"),
  row("confirm:toggle", ["space"], "mark or unmark the option"),
  row("confirm:cycleMode", ["shift+tab"], "allow for the whole session, where offered"),
  row("confirm:toggleExplanation", ["ctrl+e"], "show or hide the explanation"),
  row("permission:toggleDebug", [], "show or hide how rules were matched"),
  row("confirm:first", ["1"], "choose the first option"),
  row("confirm:second", ["2"], "choose the second option"),
  row("confirm:third", ["3"], "choose the third option"),
  row("confirm:fourth", ["4"], "choose the fourth option"),
  row("confirm:fifth", ["5"], "choose the fifth option"),
  row("confirm:sixth", ["6"], "choose the sixth option"),
  row("confirm:seventh", ["7"], "choose the seventh option"),
  row("confirm:eighth", ["8"], "choose the eighth option"),
  row("confirm:ninth", ["9"], "choose the ninth option"),
  row("confirm:scrollDown", ["pagedown", "ctrl+d"], "show more of the text"),
  row("confirm:scrollUp", ["pageup", "ctrl+u", "u"], "back in the text"),
  row("confirm:editRule", ["e"], "edit the rule before it is saved"),
  row("confirm:saveElsewhere", ["s"], "save the rule in another place"),
  row("confirm:trace", ["K"], "show how the decision came about"),
  row("confirm:zoomDiff", ["d"], "show the whole change")
])

export const SELECT = table("Select", [
  row("select:next", ["down", "j", "ctrl+n", "ctrl+j"], "next entry"),
  row("select:previous", ["up", "k", "ctrl+p", "ctrl+k"], "previous entry"),
  row("select:accept", ["enter"], "choose the entry"),
  row("select:cancel", ["escape", "q"], "leave the filter; close the list"),
  row("select:pageDown", ["pagedown", "space"], "a page down"),
  row("select:pageUp", ["pageup"], "a page up"),
  row("select:halfPageDown", ["ctrl+d"], "half a page down"),
  row("select:halfPageUp", ["ctrl+u"], "half a page up"),
  row("select:first", ["g"], "first entry"),
  row("select:last", ["G"], "last entry"),
  row("select:filter", ["/"], "filter the list"),
  row("select:keys", ["?", "f1"], "show all keys of the list")
])

export const TABS = table("Tabs", [
  row("tabs:next", ["tab", "right", "l"], "next tab"),
  row("tabs:previous", ["shift+tab", "left", "h"], "previous tab")
])

export const HELP = table("Help", [row("help:dismiss", ["escape"], "close help")])

export const MESSAGE_SELECTOR = table("MessageSelector", [
  row("messageSelector:up", ["up", "k", "ctrl+p"], "older message"),
  row("messageSelector:down", ["down", "j", "ctrl+n"], "newer message"),
  row("messageSelector:top", ["ctrl+up", "shift+up", "meta+up", "K"], "oldest message"),
  row("messageSelector:bottom", ["ctrl+down", "shift+down", "meta+down", "J"], "newest message"),
  row("messageSelector:select", ["enter"], "choose the message")
])

export const MODEL_PICKER = table("ModelPicker", [
  row("modelPicker:decreaseEffort", ["left"], "less effort"),
  row("modelPicker:increaseEffort", ["right"], "more effort"),
  row("modelPicker:thisSessionOnly", ["s"], "use the model in this session only")
])

export const THEME_PICKER = table("ThemePicker", [
  row("theme:toggleSyntaxHighlighting", ["ctrl+t"], "switch the colours of code")
])

export const PALETTE = table("Palette", [
  row("palette:next", ["down", "ctrl+n"], "next entry"),
  row("palette:previous", ["up", "ctrl+p"], "previous entry"),
  row("palette:accept", ["enter"], "run or open the entry"),
  row("palette:dismiss", ["escape"], "close the palette")
])

export const SESSIONS = table("Sessions", [
  row("sessions:open", ["<CR>"], "open the session"),
  row("sessions:openVertical", ["<C-v>"], "open beside the focused pane"),
  row("sessions:openHorizontal", ["<C-s>"], "open below the focused pane"),
  row("sessions:allProjects", ["a", "<C-a>"], "show the sessions of all projects"),
  row("sessions:currentBranch", ["b", "<C-b>"], "show the sessions of this branch only"),
  row("sessions:headless", ["s"], "show the runs of -p and of programs too; again: hide them"),
  row("sessions:liveOnly", ["o"], "show only sessions that are open; again: all"),
  row("sessions:filter", ["/"], "filter by title, branch or tag"),
  row("sessions:deepSearch", [":f"], "search in the text of the sessions"),
  row("sessions:tags", ["<Tab>"], "next tag; after the last one all sessions"),
  row("sessions:rename", ["r", "<C-r>"], "rename the session"),
  row("sessions:preview", ["p", "<Space>"], "show its last turns; again: hide them"),
  row("sessions:previewUp", ["K"], "scroll the preview up"),
  row("sessions:previewDown", ["J"], "scroll the preview down"),
  row("sessions:expand", ["<Right>"], "show its forks"),
  row("sessions:collapse", ["<Left>"], "hide its forks"),
  row("sessions:delete", ["D"], "move the session to the trash (asks)"),
  row("sessions:undelete", ["u"], "bring back what was deleted last"),
  row("sessions:export", ["e"], "export it as Markdown into the working directory"),
  row("sessions:copyId", ["y"], "copy its id")
])

export const PERMISSIONS = table("Permissions", [
  row("permissions:takeBack", ["D", "x"], "take the rule back"),
  row("permissions:retry", ["r"], "try the refused call again")
])

export const SANDBOX = table("Sandbox", [
  row("sandbox:choose", ["space"], "choose, for all your projects"),
  row("sandbox:test", ["t"], "try to break out")
])

export const MEMORY = table("Memory", [
  row("memory:delete", ["D", "delete"], "delete the memory"),
  row("memory:undo", ["u"], "undo what was done last"),
  row("memory:switch", ["t"], "turn memory on or off, for all your projects")
])

export const QUEUE = table("Queue", [
  row("queue:sendNow", ["S"], "send it at once"),
  row("queue:remove", ["D", "delete"], "take it out")
])

/** The letters of the leader keys, so that the menu teaches them. */
export const MESSAGE = table("Message", [
  row("message:retry", ["r"], "send its prompt again"),
  row("message:edit", ["e"], "edit and send again from here"),
  row("message:fork", ["f"], "fork a session from here"),
  row("message:rewind", ["w"], "go back to an earlier message"),
  row("message:summariseUpTo", ["c"], "summarise what stands before it"),
  row("message:summariseFrom", ["C"], "summarise it and what follows; its prompt comes back"),
  row("message:pin", ["p"], "pin it for compaction, or unpin it"),
  row("message:remember", ["m"], "keep it as a memory"),
  row("message:diff", ["d"], "show the changes of its turn"),
  row("message:details", ["K"], "show details"),
  row("message:copy", ["y"], "copy the message"),
  row("message:quote", [">"], "quote it in the prompt")
])

export const REWIND = table("Rewind", [
  row("rewind:restore", ["r"], "go back to before it, its text to the prompt; files stay as they are"),
  row("rewind:fork", ["f"], "fork a session from here, beside this one"),
  row("rewind:summariseUpTo", ["c"], "summarise what stands before it"),
  row("rewind:summariseFrom", ["C"], "summarise it and what follows; its text comes back to the prompt"),
  row("rewind:jump", ["t"], "show it in the transcript"),
  row("rewind:nothing", ["n"], "never mind")
])
