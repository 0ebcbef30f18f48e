/** Whose word counts about hosts: the settings, the rules, and whoever can be asked about the rest. */
import type { PermissionContext } from "../permission/context.ts"
import { effectiveMode } from "../permission/mode.ts"
import { ruleHosts } from "../permission/rules/search-visibility.ts"
import type { SandboxRequest } from "./guarded-paths.ts"
import type { SandboxSettings } from "./settings.ts"

type HostLists = Pick<SandboxRequest, "allowedHosts" | "deniedHosts" | "unknownHosts">

/** An unknown host is refused without a question where lists shall be all there is, and where nobody can be asked. */
const unknownHosts = ({ network }: SandboxSettings, context: PermissionContext): HostLists["unknownHosts"] =>
  network.strictAllowlist || network.managedDomainsOnly || !context.canPrompt || effectiveMode(context) === "dontAsk"
    ? "deny"
    : "ask"

export const hostLists = (settings: SandboxSettings, context: PermissionContext): HostLists => ({
  allowedHosts: ruleHosts(
    settings.network.managedDomainsOnly
      ? { ...context, rules: context.rules.filter(({ source }) => source === "policySettings") }
      : context,
    "allow"
  ),
  deniedHosts: ruleHosts(context, "deny"),
  unknownHosts: unknownHosts(settings, context)
})
