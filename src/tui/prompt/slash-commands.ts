/** Commands that begin with a slash. What each does is in slash-run.ts; help and completion are made from this. */
export interface SlashCommand {
  readonly name: string
  readonly aliases: ReadonlyArray<string>
  readonly description: string
  readonly argument?: string
  /** It does nothing without its argument. */
  readonly needsArgument?: true
  /** It changes the conversation, and so it waits until no turn runs. */
  readonly waits?: true
}

const command = (name: string, description: string, more: Partial<SlashCommand> = {}): SlashCommand => ({
  name,
  description,
  aliases: [],
  ...more
})

export const SLASH_COMMANDS: ReadonlyArray<SlashCommand> = [
  command("help", "show the keys that work now"),
  command("clear", "start a new conversation; the old one stays resumable", { aliases: ["new", "reset"], waits: true }),
  command("resume", "open an earlier session", { aliases: ["continue", "sessions"] }),
  command("branch", "fork this conversation into a new session", { aliases: ["fork"], waits: true }),
  command("rename", "name this session", { argument: "title", needsArgument: true }),
  command("tag", "tag this session; the same tag again takes it away", { argument: "tag", needsArgument: true }),
  command("model", "choose the model", { argument: "model" }),
  command("mode", "choose the permission mode", { argument: "mode" }),
  command("permissions", "show the rules, take one back, or add one", {
    aliases: ["allowed-tools"],
    argument: "allow|ask|deny rule"
  }),
  command("memory", "show what the model knows between conversations: edit it, delete it", { argument: "undo|on|off" }),
  command("sandbox", "show what confines commands, and choose the mode"),
  command("theme", "choose the colours", { argument: "theme" }),
  command("vim", "switch between vim and standard keys in the prompt"),
  command("context", "show what fills the context window"),
  command("recap", "say in a line where things stand"),
  command("compact", "summarise the conversation so far; look at it before and after, edit it, take it back", {
    argument: "what to care about | preview|show|edit|undo|redo",
    waits: true
  }),
  command("snip", "take the oldest rounds out of what the model sees", { argument: "how many", waits: true }),
  command("cost", "show what this session cost", { aliases: ["usage"] }),
  command("diff", "show the changes"),
  command("tasks", "show todos and background work", { aliases: ["todos"] }),
  command("queue", "show what waits: edit it, send it at once, take it out"),
  command("copy", "copy the last answer"),
  command("export", "write the conversation to a file", { argument: "file" }),
  command("rewind", "go back to an earlier message", { aliases: ["checkpoint"] }),
  command("focus", "show only the last prompt and its answer; again: everything"),
  command("keybindings", "edit your key bindings"),
  command("tui", "say or choose the interface: the whole screen, or the terminal's own scrollback", {
    argument: "fullscreen|inline"
  }),
  command("exit", "leave", { aliases: ["quit"] })
]

export interface SlashLine {
  readonly command: SlashCommand | undefined
  readonly name: string
  readonly argument: string
}

const LINE = /^\/([a-z][\w:-]*)(?:\s+([\s\S]*))?$/i

/** A line that begins with a command; undefined for a path or any other text. */
export const parseSlash = (text: string): SlashLine | undefined => {
  const match = LINE.exec(text.trim())
  if (match === null) return undefined
  const name = (match[1] ?? "").toLowerCase()
  const found = SLASH_COMMANDS.find((each) => each.name === name || each.aliases.includes(name))
  return { command: found, name, argument: (match[2] ?? "").trim() }
}
