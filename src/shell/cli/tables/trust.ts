import type { Command, SubCommand } from "./commands.ts"

const path = [{ label: "path", optional: true }] as const
const json = { name: "--json", value: { kind: "none" }, help: "Print JSON" } as const

const sub = <N extends string>(name: N, help: string) =>
  ({ name, operands: path, flags: [json], help, example: `nacre trust ${name}` }) as const satisfies SubCommand

export const TRUST_COMMAND = {
  name: "trust",
  help: "Folders whose own settings may take effect",
  subs: [
    sub("add", "Trust a folder (this one without a path) with what its settings hold now"),
    sub("imports", "Let a folder's instructions import what they name outside of it now"),
    sub("remove", "Trust a folder no longer"),
    sub("list", "List the trusted folders, or what one folder's settings would do")
  ]
} as const satisfies Command
