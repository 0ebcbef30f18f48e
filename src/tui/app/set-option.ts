import { notify, only, type Update } from "./change.ts"
import type { Cmd } from "./cmd.ts"
import type { AppModel } from "./model.ts"
import type { UiOptions } from "./options.ts"

/** `:set`: options by their name, `no` before a switch turns it off, `!` after it turns it over, `?` shows it. */

type Switch = { [K in keyof UiOptions]: UiOptions[K] extends boolean ? K : never }[keyof UiOptions]

const SWITCHES: Readonly<Record<string, Switch>> = {
  mouse: "mouse",
  meta: "meta",
  codewrap: "codeWrap",
  highlight: "highlight",
  typethrough: "typeThrough",
  copyonselect: "copyOnSelect",
  turns: "showTurns",
  reducedmotion: "reducedMotion",
  autoscroll: "autoScroll"
}

const CHOICES: Readonly<
  Record<string, { readonly key: "view" | "thinking" | "diff" | "borders"; readonly values: ReadonlyArray<string> }>
> = {
  view: { key: "view", values: ["default", "verbose", "focus"] },
  thinking: { key: "thinking", values: ["hide", "fold", "show"] },
  diff: { key: "diff", values: ["unified", "split", "auto"] },
  borders: { key: "borders", values: ["line", "ascii", "none"] }
}

const shown = ({ options }: AppModel): string =>
  [
    ...Object.entries(SWITCHES).map(([name, key]) => (options[key] ? name : `no${name}`)),
    ...Object.entries(CHOICES).map(([name, { key }]) => `${name}=${options[key]}`)
  ].join("  ")

const withOption = (model: AppModel, change: Partial<UiOptions>): AppModel => ({
  ...model,
  options: { ...model.options, ...change }
})

const unknown = (model: AppModel, name: string): AppModel =>
  notify(model, `E518: unknown option: ${name}`, { style: "error" })

const setChoice = (model: AppModel, name: string, value: string): AppModel => {
  const choice = CHOICES[name]
  if (choice === undefined) return unknown(model, name)
  if (!choice.values.includes(value)) {
    return notify(model, `${name} is one of ${choice.values.join(", ")}`, { style: "error" })
  }
  return withOption(model, { [choice.key]: value })
}

const setOne = (model: AppModel, word: string): AppModel => {
  const [name = "", value] = word.split("=")
  if (value !== undefined) return setChoice(model, name, value)
  const bare = name.replace(/[!?]$/, "")
  const key = SWITCHES[bare] ?? SWITCHES[bare.replace(/^no/, "")]
  if (key === undefined) {
    const choice = CHOICES[bare]
    return choice === undefined ? unknown(model, bare) : notify(model, `${bare}=${model.options[choice.key]}`)
  }
  if (name.endsWith("?")) return notify(model, model.options[key] ? bare : `no${bare}`)
  return withOption(model, { [key]: name.endsWith("!") ? !model.options[key] : SWITCHES[bare] !== undefined })
}

/** The setting that keeps an option, for `:set!`. */
const saved = (model: AppModel, word: string): ReadonlyArray<Cmd> => {
  const bare = word.split("=")[0]?.replace(/[!?]$/, "") ?? ""
  const key = SWITCHES[bare] ?? SWITCHES[bare.replace(/^no/, "")] ?? CHOICES[bare]?.key
  return key === undefined ? [] : [{ _tag: "SaveOption", name: key, value: model.options[key] }]
}

/** `:set!` also saves what it sets. */
export const setOption = (model: AppModel, argument: string, isSaved: boolean): Update => {
  if (argument === "" || argument === "all") return only(notify(model, shown(model), { timeoutMs: 15_000 }))
  const words = argument.split(/\s+/)
  const next = words.reduce(setOne, model)
  return [next, isSaved ? words.flatMap((word) => saved(next, word)) : []]
}

/** Words for Tab. */
export const OPTION_WORDS: ReadonlyArray<string> = [
  ...Object.keys(SWITCHES),
  ...Object.keys(SWITCHES).map((name) => `no${name}`),
  ...Object.entries(CHOICES).flatMap(([name, { values }]) => values.map((value) => `${name}=${value}`))
]
