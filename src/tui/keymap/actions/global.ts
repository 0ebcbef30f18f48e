import { row, table } from "./action.ts"

/** Keys that work everywhere, and those of a command that runs in the foreground. */
export const GLOBAL = table("Global", [
  row("app:interrupt", ["ctrl+c"], { description: "interrupt the turn; clear the prompt; twice: exit", fixed: true }),
  row("app:exit", ["ctrl+d"], { description: "on an empty prompt, twice: exit", fixed: true }),
  row("app:redraw", [], "draw the whole screen again"),
  row("app:toggleTodos", ["ctrl+t"], "show or hide the todo list"),
  row("app:toggleTranscript", ["ctrl+o"], "go to the transcript with everything open, and back"),
  row("history:search", ["ctrl+r"], "search the history of prompts"),
  row("window:prefix", ["ctrl+x ctrl+w"], "wait for a window key"),
  row("window:next", ["f6", "ctrl+x o"], "go to the next pane"),
  row("window:previous", ["shift+f6"], "go to the previous pane"),
  row("app:palette", ["ctrl+x ctrl+p"], "open the palette: commands, panes, sessions, files, options"),
  row("app:help", ["f1"], "show the keys that work now"),
  row("app:retryNow", ["ctrl+x ctrl+g"], "while a failed request waits: try again now"),
  row("app:findAll", ["ctrl+x ctrl+f"], "search all stored sessions"),
  row("app:suspend", ["ctrl+z"], "suspend to the shell")
])

export const TASK = table("Task", [
  row("task:background", ["ctrl+b", "ctrl+x ctrl+b"], "move the running command to the background")
])
