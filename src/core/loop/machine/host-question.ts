/** The question whether a sandboxed command may reach a host, in the shape of every other permission question. */
import type { PermissionQuestion } from "./command.ts"
import type { PermissionUpdate } from "../../permission/configuration/update.ts"

/** The name under which hosts of this program know the question; there is no such tool. */
export const NETWORK_TOOL = "SandboxNetworkAccess"

export interface AskedHost {
  readonly name: string
  readonly port: number
  /** What asked for it, as far as it is known: a command that went to the background is not. */
  readonly command: string | undefined
}

/** What remembering an answer writes. Rules of WebFetch count for commands too, so one rule says it for both. */
export const rememberHost = (host: string, behavior: "allow" | "deny"): PermissionUpdate => ({
  type: "addRules",
  rules: [{ toolName: "WebFetch", ruleContent: `domain:${host}` }],
  behavior,
  destination: "localSettings"
})

export const hostQuestion = (id: string, host: AskedHost): PermissionQuestion => ({
  callId: id,
  tool: NETWORK_TOOL,
  input: { host: host.name, port: host.port },
  summary: `${host.name}:${host.port}`,
  decision: {
    verdict: "ask",
    reason: { type: "other", sentence: `No rule says whether sandboxed commands may reach ${host.name}` }
  },
  suggestions: [rememberHost(host.name, "allow")],
  host
})
