import { currentModel } from "../../core/loop/turn/send-request.ts"
import { countText } from "../../core/domain/text/count-text.ts"
import { rereadCost } from "../../core/model/catalog/cost.ts"
import { isSameModel } from "../../core/model/catalog/model.ts"
import { expandAlias } from "../../core/model/catalog/model-alias.ts"
import { ttlMsOf } from "../../core/model/request/cache.ts"
import { warmTokens } from "../../core/model/tokens/cache-breaks.ts"
import { type AppModel, currentSession } from "./app-model.ts"
import type { Cmd } from "./cmd.ts"
import { confirmOverlay } from "./confirm.ts"
import { openOverlay } from "./open-overlay.ts"
import type { SessionModel } from "./session-model.ts"
import { notify, type Update, withCommands, withoutCommands } from "./update-result.ts"

export interface ModelSwitch {
  /** As it was chosen: a name or an id. */
  readonly name: string
  readonly effort: string | undefined
  /** Said when it is done; empty says nothing. */
  readonly words: string
  readonly cmds: ReadonlyArray<Cmd>
}

/** Tokens that would be read again; none where nothing changes or nothing is kept. */
const lostTokens = ({ state }: SessionModel, { name, effort }: ModelSwitch, now: number): number => {
  const { caching, effort: before } = state.config.choice
  const id = expandAlias(name) ?? name
  const isSame = isSameModel(id, currentModel(state)) && (effort === undefined || effort === before)
  return isSame || !caching.enabled ? 0 : warmTokens(state.conversation.cache, now, ttlMsOf(caching))
}

const costText = (name: string, tokens: number): string => {
  const usd = rereadCost(expandAlias(name) ?? name, tokens)
  return usd === undefined || usd === 0 ? "" : `, for about $${usd.toFixed(2)}`
}

/** Another model or effort has to read what the cache keeps for this one: whoever switches now is asked once. */
export const switchModel = (model: AppModel, wanted: ModelSwitch): Update => {
  const session = currentSession(model)
  const tokens = session === undefined ? 0 : lostTokens(session, wanted, model.now)
  const { name, words, cmds } = wanted
  if (tokens === 0) return withCommands(words === "" ? model : notify(model, words), ...cmds)
  const held = `The prompt cache still holds ${countText(tokens)} tokens of this conversation.`
  const question = `${held} After a switch to ${name} they are read again${costText(name, tokens)}. Switch?`
  const asked = confirmOverlay({ _tag: "SwitchModel", words, cmds }, { question, yes: "Switch", no: "Leave it as it is" })
  return withoutCommands(openOverlay(model, asked))
}
