import type { Reply } from "../terminal/input/event.ts"
import type { Capabilities } from "../terminal/render/capabilities.ts"
import { withCommands, withoutCommands, type Update } from "../model/update-result.ts"
import type { AppModel } from "../model/app-model.ts"

/** Answers of the terminal: they are believed, unless the user said otherwise. */

const DARK_BELOW = 128

type Field = keyof Capabilities

const isField = (name: string, caps: Capabilities): name is Field => Object.hasOwn(caps, name)

const withCaps = (model: AppModel, found: Partial<Capabilities>): AppModel => {
  const names = Object.keys(found).filter((name) => isField(name, model.caps))
  if (names.some((name) => model.options.fixedCaps.includes(name))) return model
  const answered = [...new Set([...model.answered, ...names])]
  return { ...model, answered, caps: { ...model.caps, ...found } }
}

const SYNC_OUTPUT = 2026

const onModeReport = (model: AppModel, { mode, value }: Extract<Reply, { readonly _tag: "ModeReport" }>): AppModel =>
  mode === SYNC_OUTPUT ? withCaps(model, { syncOutput: model.caps.syncOutput || (value >= 1 && value <= 3) }) : model

/** Every terminal answers this one, and the answers come in order: a better keyboard would have been reported before. */
const onLastAnswer = (model: AppModel): AppModel =>
  model.caps.keyboard === "legacy" ? withCaps(model, { keyboard: "modifyOtherKeys" }) : model

/** What is on screen has the colours of before, so all of it is drawn again. */
const onCapability = (model: AppModel, { name, value }: Extract<Reply, { readonly _tag: "Capability" }>): Update => {
  const { colourDepth } = model.caps
  const isNews = (name === "Tc" || name === "RGB") && value !== undefined && (colourDepth === "16" || colourDepth === "256")
  const next = isNews ? withCaps(model, { colourDepth: "24bit" }) : model
  return next === model ? withoutCommands(model) : withCommands(next, { _tag: "Redraw" })
}

export const onReply = (model: AppModel, reply: Reply): Update => {
  switch (reply._tag) {
    case "ModeReport":
      return withoutCommands(onModeReport(model, reply))
    case "KeyboardFlags":
      return withoutCommands(withCaps(model, { keyboard: "kitty" }))
    case "PrimaryAttributes":
      return withoutCommands(onLastAnswer(model))
    case "Capability":
      return onCapability(model, reply)
    case "Colour": {
      const [red, green, blue] = reply.rgb
      const luminance = 0.299 * red + 0.587 * green + 0.114 * blue
      return withoutCommands(
        reply.which === "background" ? { ...model, scheme: luminance < DARK_BELOW ? "dark" : "light" } : model
      )
    }
    case "ColourScheme":
      return withoutCommands({ ...model, scheme: reply.scheme })
    default:
      return withoutCommands(model)
  }
}
