import { row, type ActionTable } from "./action.ts"

/** Dialogs that ask something, and the lists and tabs inside them. */
export const CONFIRMATION: ActionTable = {
  context: "Confirmation",
  rows: [
    row("confirm:yes", ["y", "enter"], "yes"),
    row("confirm:no", ["n", "escape"], "no"),
    row("confirm:previous", ["up"], "previous option"),
    row("confirm:next", ["down"], "next option"),
    row("confirm:nextField", ["tab"], "open a comment; next field"),
    row("confirm:previousField", [], "previous field"),
    row("confirm:toggle", ["space"], "mark or unmark the option"),
    row("confirm:cycleMode", ["shift+tab"], "allow for the whole session, where offered"),
    row("confirm:toggleExplanation", ["ctrl+e"], "show or hide the explanation"),
    row("permission:toggleDebug", [], "show or hide how rules were matched"),
    row("confirm:first", ["1"], "choose the first option"),
    row("confirm:second", ["2"], "choose the second option"),
    row("confirm:third", ["3"], "choose the third option"),
    row("confirm:editRule", ["e"], "edit the rule before it is saved"),
    row("confirm:trace", ["K"], "show how the decision came about"),
    row("confirm:zoomDiff", ["d"], "show the whole change"),
    row("confirm:openEditor", ["ctrl+g"], "edit the plan in your editor")
  ]
}

export const SELECT: ActionTable = {
  context: "Select",
  rows: [
    row("select:next", ["down", "j", "ctrl+n"], "next entry"),
    row("select:previous", ["up", "k", "ctrl+p"], "previous entry"),
    row("select:accept", ["enter"], "choose the entry"),
    row("select:cancel", ["escape"], "close the list")
  ]
}

export const TABS: ActionTable = {
  context: "Tabs",
  rows: [row("tabs:next", ["tab", "right"], "next tab"), row("tabs:previous", ["shift+tab", "left"], "previous tab")]
}

export const HELP: ActionTable = {
  context: "Help",
  rows: [row("help:dismiss", ["escape"], "close help"), row("help:filter", ["/"], "filter the keys")]
}

export const MESSAGE_SELECTOR: ActionTable = {
  context: "MessageSelector",
  rows: [
    row("messageSelector:up", ["up", "k", "ctrl+p"], "older message"),
    row("messageSelector:down", ["down", "j", "ctrl+n"], "newer message"),
    row("messageSelector:top", ["ctrl+up", "shift+up", "meta+up", "K"], "oldest message"),
    row("messageSelector:bottom", ["ctrl+down", "shift+down", "meta+down", "J"], "newest message"),
    row("messageSelector:select", ["enter"], "choose the message")
  ]
}

export const DIFF_DIALOG: ActionTable = {
  context: "DiffDialog",
  rows: [
    row("diff:dismiss", ["escape"], "close the diff"),
    row("diff:previousSource", ["left"], "previous source"),
    row("diff:nextSource", ["right"], "next source"),
    row("diff:previousFile", ["up", "k"], "previous file"),
    row("diff:nextFile", ["down", "j"], "next file"),
    row("diff:viewDetails", ["enter"], "show the changes of the file"),
    row("diff:back", [], "back to the files")
  ]
}

export const MODEL_PICKER: ActionTable = {
  context: "ModelPicker",
  rows: [
    row("modelPicker:decreaseEffort", ["left"], "less effort"),
    row("modelPicker:increaseEffort", ["right"], "more effort"),
    row("modelPicker:thisSessionOnly", ["s"], "use the model in this session only")
  ]
}

export const THEME_PICKER: ActionTable = {
  context: "ThemePicker",
  rows: [
    row("theme:toggleSyntaxHighlighting", ["ctrl+t"], "switch the colours of code"),
    row("theme:edit", ["ctrl+e"], "edit a theme of your own")
  ]
}

export const SETTINGS: ActionTable = {
  context: "Settings",
  rows: [row("settings:search", ["/"], "search the settings"), row("settings:retry", ["r"], "load again")]
}

export const PLUGIN: ActionTable = {
  context: "Plugin",
  rows: [
    row("plugin:toggle", ["space"], "switch the plugin on or off"),
    row("plugin:install", ["i"], "install the plugin"),
    row("plugin:favorite", ["f"], "mark as favourite")
  ]
}

export const PALETTE: ActionTable = {
  context: "Palette",
  rows: [
    row("palette:next", ["down", "ctrl+n"], "next entry"),
    row("palette:previous", ["up", "ctrl+p"], "previous entry"),
    row("palette:accept", ["enter"], "run or open the entry"),
    row("palette:dismiss", ["escape"], "close the palette")
  ]
}

export const SESSIONS: ActionTable = {
  context: "Sessions",
  rows: [
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
  ]
}
