import { readRules } from "../../core/permission/rules/parse.ts"
import { bannerText } from "../../core/settings/origin.ts"
import type { SessionPlan } from "./session-plan.ts"

/** What must stay in sight: a rule that was to deny or to ask and does not, in a file or on the command line. */
export const settingsBanners = ({ settings, start }: Pick<SessionPlan, "settings" | "start">): ReadonlyArray<string> => {
  const { banners } = readRules(start.permissions.deny, { behavior: "deny", source: "cliArg" })
  const open = settings.current().problems.filter(({ leavesOpen }) => leavesOpen === true)
  return [...open.map(bannerText), ...banners]
}
