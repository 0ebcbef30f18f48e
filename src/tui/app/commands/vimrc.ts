import type { Update } from "../../model/update-result.ts"
import { mapCommand } from "../../keymap/mappings.ts"
import { runMapCommand } from "./ex-map.ts"
import type { AppModel } from "../../model/app-model.ts"
import { defineCommand } from "./user-commands.ts"
import { setOption } from "../../model/set-option.ts"

/** The user's own vimrc: `:set`, `:command` and the `:map` family, line by line. A bad line is reported and the rest applies. */
export interface Vimrc {
  readonly model: AppModel
  /** Each with the number of its line. */
  readonly problems: ReadonlyArray<{ readonly line: number; readonly words: string }>
}

const LINE = /^:*\s*([a-z]+)(!?)(?:\s+([\s\S]*))?$/i

const run = (model: AppModel, text: string): Update | string => {
  const [, name = "", bang = "", argument = ""] = LINE.exec(text) ?? []
  if (name === "set" || name === "se")
    return argument === "" ? "E471: :set needs an option here" : setOption(model, argument, false)
  if (/^com(?:mand)?$/.test(name)) {
    const isWhole = /^(?:-\S+\s+)*\S+\s+\S/.test(argument)
    return isWhole ? defineCommand(model, { argument, bang: bang === "!" }) : "E471: :command needs a name and a line here"
  }
  const isMap = mapCommand(name, false) !== undefined
  return isMap
    ? runMapCommand(model, name, { bang: bang === "!", argument })
    : `E492: only :set, :map and :command are read here: ${text}`
}

const problemIn = (before: AppModel, after: AppModel): string | undefined => {
  const notice = after.notices.current?.notice
  return after.notices === before.notices || notice?.style !== "error" ? undefined : notice.text
}

export const readVimrc = (initial: AppModel, text: string): Vimrc =>
  text.split(/\r?\n/).reduce<Vimrc>(
    (read, raw, index) => {
      const line = raw.trim()
      if (line === "" || line.startsWith('"')) return read
      const done = run(read.model, line)
      const words = typeof done === "string" ? done : problemIn(read.model, done[0])
      const { options, optionsSet, keys, userCommands } = typeof done === "string" ? read.model : done[0]
      return {
        model: {
          ...read.model,
          options,
          optionsSet: new Map([...optionsSet.keys()].map((key) => [key, "vimrc"])),
          keys,
          userCommands
        },
        problems: words === undefined ? read.problems : [...read.problems, { line: index + 1, words }]
      }
    },
    { model: initial, problems: [] }
  )
