import type { Command } from "./commands.ts"

export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const

const subOf = <Shell extends (typeof SHELLS)[number]>(name: Shell, example: string) => ({
  name,
  operands: [],
  flags: [],
  help: `Print the script that lets ${name} complete commands, flags and values`,
  example
})

export const COMPLETION_COMMAND = {
  name: "completion",
  help: "Print a script that lets a shell complete commands, flags and values",
  subs: [
    subOf("bash", "nacre completion bash >> ~/.bashrc"),
    subOf("zsh", "nacre completion zsh >> ~/.zshrc"),
    subOf("fish", "nacre completion fish > ~/.config/fish/completions/nacre.fish"),
    subOf("powershell", "nacre completion powershell >> $PROFILE")
  ]
} as const satisfies Command
