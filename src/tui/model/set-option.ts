import { notify, withoutCommands, type Update } from "./update-result.ts"
import type { Cmd } from "./cmd.ts"
import type { AppModel } from "./app-model.ts"
import { openOverlay } from "./open-overlay.ts"
import { DEFAULT_UI_OPTIONS, type UiOptions } from "./ui-options.ts"

/**
 * `:set`: options by their name, `no` before a switch turns it off, `!` after it turns it over, `?` shows it, `&` takes
 * it back to what it is without settings.
 */

type Switch = { [K in keyof UiOptions]: UiOptions[K] extends boolean ? K : never }[keyof UiOptions]
type Choice = "view" | "thinking" | "diff" | "borders"
type ChoiceValue = UiOptions[Choice]

type Option =
  | { readonly kind: "switch"; readonly key: Switch; readonly about: string }
  | { readonly kind: "choice"; readonly key: Choice; readonly values: ReadonlyArray<ChoiceValue>; readonly about: string }

const option = (key: Switch, about: string): Option => ({ kind: "switch", key, about })
const choice = <Key extends Choice>(key: Key, values: ReadonlyArray<UiOptions[Key]>, about: string): Option => ({
  kind: "choice",
  key,
  values,
  about
})

const OPTIONS: Readonly<Record<string, Option>> = {
  autoscroll: option("autoScroll", "the end is followed while it is in view"),
  borders: choice("borders", ["line", "ascii", "none"], "what is drawn between panes"),
  codewrap: option("codeWrap", "long lines of code and diffs are wrapped"),
  copyonselect: option("copyOnSelect", "what the mouse selects is copied"),
  diff: choice("diff", ["unified", "split", "auto"], "the changes pane in one column or in two"),
  highlight: option("highlight", "code has colours"),
  meta: option("meta", "messages of the program itself are shown"),
  mouse: option("mouse", "the mouse works here and not in the terminal"),
  reducedmotion: option("reducedMotion", "fewer things move"),
  thinking: choice("thinking", ["hide", "fold", "show"], "how thoughts are shown"),
  turns: option("showTurns", "every turn ends with its time and cost"),
  typethrough: option("typeThrough", "letters without a meaning in a pane go to the prompt"),
  view: choice("view", ["default", "verbose", "focus"], "how much of the conversation is shown")
}

const valueText = ({ options }: AppModel, name: string, each: Option): string => {
  if (each.kind === "choice") return `${name}=${options[each.key]}`
  return options[each.key] ? name : `no${name}`
}

const isChanged = ({ options }: AppModel, { key }: Option): boolean => options[key] !== DEFAULT_UI_OPTIONS[key]

/** Options with what they mean; `*` marks those that differ from what they are without settings. */
const listing = (model: AppModel, isAll: boolean): Update => {
  const shown = Object.entries(OPTIONS).filter(([, each]) => isAll || isChanged(model, each))
  if (shown.length === 0)
    return withoutCommands(notify(model, "every option is as it is without settings; :set all lists them"))
  const rows = shown.map(([name, each]) => ({
    mark: isChanged(model, each) ? "*" : " ",
    text: valueText(model, name, each),
    each
  }))
  const width = Math.max(...rows.map(({ text }) => text.length))
  const lines = rows.map(({ mark, text, each }) => {
    const values = each.kind === "choice" ? ` (${each.values.join(", ")})` : ""
    return `${mark} ${text.padEnd(width)}  ${each.about}${values}`
  })
  return withoutCommands(openOverlay(model, { _tag: "Listing", title: "options", lines, top: 0 }))
}

const withOption = (model: AppModel, key: Option["key"], value: UiOptions[Option["key"]]): AppModel => ({
  ...model,
  options: { ...model.options, [key]: value },
  optionsSet: new Map(model.optionsSet).set(key, ":set")
})

/** As it is without settings. */
const withoutOption = (model: AppModel, key: Option["key"]): AppModel => {
  const optionsSet = new Map(model.optionsSet)
  optionsSet.delete(key)
  return { ...model, options: { ...model.options, [key]: DEFAULT_UI_OPTIONS[key] }, optionsSet }
}

/** The value, and who said so. */
const toldValue = (model: AppModel, name: string, each: Option): string => {
  const source = model.optionsSet.get(each.key) ?? (isChanged(model, each) ? "settings" : "default")
  return `${valueText(model, name, each)} (${source})`
}

const fail = (model: AppModel, words: string): AppModel => notify(model, words, { style: "error" })

interface Word {
  readonly name: string
  readonly option: Option | undefined
  readonly isOff: boolean
  readonly sign: "!" | "?" | "&" | ""
  readonly value: string | undefined
}

/** Only what stands in the table itself, not what every object knows. */
const optionNamed = (name: string): Option | undefined => (Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined)

const readWord = (word: string): Word => {
  const [, bare = "", sign = "", , value] = /^([a-z]*)([!?&]?)(=([\s\S]*))?/i.exec(word) ?? []
  const known = optionNamed(bare)
  const turned = known === undefined && bare.startsWith("no") ? optionNamed(bare.slice(2)) : undefined
  return {
    name: turned === undefined ? bare : bare.slice(2),
    option: known ?? (turned?.kind === "switch" ? turned : undefined),
    isOff: turned !== undefined,
    sign: sign === "!" || sign === "?" || sign === "&" ? sign : "",
    value
  }
}

const setOne = (model: AppModel, word: string): AppModel => {
  const { name, option: known, isOff, sign, value } = readWord(word)
  if (known === undefined) return fail(model, `E518: unknown option: ${word.replace(/[=!?&].*$/s, "")}`)
  if (sign === "?") return notify(model, toldValue(model, name, known))
  if (sign === "&") return withoutOption(model, known.key)
  if (known.kind === "switch") {
    if (value !== undefined) return fail(model, `E474: ${name} is on or off: :set ${name} or :set no${name}`)
    return withOption(model, known.key, sign === "!" ? !model.options[known.key] : !isOff)
  }
  if (value === undefined) return notify(model, toldValue(model, name, known))
  const found = known.values.find((each) => each === value)
  return found !== undefined
    ? withOption(model, known.key, found)
    : fail(model, `E474: ${name} is one of ${known.values.join(", ")}`)
}

/** The setting that keeps an option, for `:set!`. */
const saved = (model: AppModel, word: string): ReadonlyArray<Cmd> => {
  const key = readWord(word).option?.key
  return key === undefined ? [] : [{ _tag: "SaveOption", name: key, value: model.options[key] }]
}

/** `:set!` also saves what it sets. */
export const setOption = (model: AppModel, argument: string, isSaved: boolean): Update => {
  if (argument === "" || argument === "all") return listing(model, argument === "all")
  const words = argument.split(/\s+/)
  const next = words.reduce(setOne, model)
  return [next, isSaved ? words.flatMap((word) => saved(next, word)) : []]
}

/** Words for Tab. */
export const OPTION_WORDS: ReadonlyArray<string> = Object.entries(OPTIONS).flatMap(([name, each]) =>
  each.kind === "switch" ? [name, `no${name}`] : each.values.map((value) => `${name}=${value}`)
)
