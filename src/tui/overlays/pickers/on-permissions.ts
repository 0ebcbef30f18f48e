import type { AtPicker, PickerSpec } from "./picker-spec.ts"
import { type Handler, NO_PRESS } from "../../model/action.ts"
import { Result } from "effect"
import { parseRule } from "../../../core/permission/rules/parse.ts"
import { printRule, type Rule, sourceLabel } from "../../../core/permission/rule.ts"
import type { PermissionUpdate } from "../../../core/permission/configuration/update.ts"
import type { Verdict } from "../../../core/permission/verdict.ts"
import { DESTINATIONS } from "../../model/dialogs/save-destination.ts"
import { refusedCalls, permissionItems } from "./permission-list.ts"
import { type PickerItem } from "./picker.ts"
import { withCommands, notify, withoutCommands, type Update } from "../../model/update-result.ts"
import { insertIntoPrompt } from "../../model/prompt/insert-into-prompt.ts"
import { type AppModel, currentSession } from "../../model/app-model.ts"
import { closeOverlay, openPicker } from "../../model/open-overlay.ts"
import type { SessionModel } from "../../model/session-model.ts"

/** The list of `/permissions`: taking a rule back, adding one, and trying a refused call again. */

type RulesUpdate = Extract<PermissionUpdate, { readonly type: "addRules" | "removeRules" }>

const ruleUpdate = (type: RulesUpdate["type"], rule: Rule, destination: RulesUpdate["destination"]): RulesUpdate => ({
  type,
  rules: [{ toolName: rule.tool, ...(rule.specifier === undefined ? {} : { ruleContent: rule.specifier }) }],
  behavior: rule.behavior,
  destination
})

const savedIn = ({ source }: Rule): RulesUpdate["destination"] | undefined =>
  source === "cliArg" ? "cliArg" : DESTINATIONS.find((destination) => destination === source)

const takeBack = (model: AppModel, session: SessionModel, rule: Rule): Update => {
  const destination = savedIn(rule)
  const text = `${rule.behavior} ${printRule(rule)}`
  if (destination === undefined) {
    return withoutCommands(
      notify(model, `${text} stands in ${sourceLabel(rule.source)}, which is not changed from here`, { style: "error" })
    )
  }
  return withCommands(notify(model, `took back ${text}; undo: /permissions ${text}`, { timeoutMs: 15_000 }), {
    _tag: "UpdatePermissions",
    session: session.id,
    updates: [ruleUpdate("removeRules", rule, destination)]
  })
}

const tryAgain = (model: AppModel, session: SessionModel, callId: string): Update => {
  const call = refusedCalls(session).find((block) => block.callId === callId)
  if (call === undefined) return withoutCommands(model)
  const line = call.source.split("\n", 1)[0] ?? ""
  return withoutCommands(
    insertIntoPrompt(closeOverlay(model), `Try this call again, I will decide about it: ${call.tool} ${line}`)
  )
}

const ofItem = (item: PickerItem | undefined): readonly [kind: string | undefined, id: string] => {
  const [kind, id = ""] = item?.id.split(/:(.*)/s) ?? []
  return [kind, id]
}

const retry: Handler<AtPicker> = ({ model, item }) => {
  const session = currentSession(model)
  const [kind, id] = ofItem(item)
  return session === undefined || kind !== "call" ? undefined : tryAgain(model, session, id)
}

const takeRuleBack: Handler<AtPicker> = ({ model, item }) => {
  const session = currentSession(model)
  const [kind, id] = ofItem(item)
  const rule = kind === "rule" ? session?.state.permission.rules[Number(id)] : undefined
  return session === undefined || rule === undefined ? undefined : takeBack(model, session, rule)
}

export const PERMISSIONS_PICKER: PickerSpec = {
  title: "Permissions",
  width: 110,
  context: "Permissions",
  hint: () => [
    ["permissions:takeBack", "take a rule back"],
    ["permissions:retry", "try a refused call again"],
    "/permissions allow RULE adds",
    ["select:cancel", "close"]
  ],
  items: (model) => {
    const session = currentSession(model)
    return session === undefined ? [] : permissionItems(session)
  },
  accept: (model, overlay, item) => retry({ model, overlay, item }, NO_PRESS) ?? withoutCommands(model),
  on: { "permissions:retry": retry, "permissions:takeBack": takeRuleBack }
}

const isBehaviour = (word: string): word is Verdict => word === "allow" || word === "ask" || word === "deny"

/** `/permissions` opens the list; `/permissions allow Bash(ls)` adds a rule for this project. */
export const runPermissions = (model: AppModel, session: SessionModel, argument: string): Update => {
  if (argument === "") return withoutCommands(openPicker(model, "permissions"))
  const [word = "", text = ""] = argument.split(/\s+(.*)/s)
  if (!isBehaviour(word) || text === "") {
    return withoutCommands(notify(model, "say /permissions allow|ask|deny RULE", { style: "error" }))
  }
  const parsed = parseRule(text.trim(), word)
  if (Result.isFailure(parsed))
    return withoutCommands(notify(model, `not a rule: ${parsed.failure.why}`, { style: "error" }))
  const rule: Rule = { ...parsed.success, behavior: word, source: "localSettings" }
  return withCommands(notify(model, `${word} ${printRule(rule)} in this project`, { style: "success" }), {
    _tag: "UpdatePermissions",
    session: session.id,
    updates: [ruleUpdate("addRules", rule, "localSettings")]
  })
}
