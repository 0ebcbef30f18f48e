import type { SessionHandle } from "../../session/session-handle.ts"
import { COMPATIBILITY_VERSION } from "../../process/version.ts"
import type { SdkMessage } from "./sdk-message.ts"

const CAPABILITIES = ["interrupt_receipt_v1", "interrupt_cancel_queued_v1"]

/** `system/init`: what this session is, sent at the start of every turn. */
export const initLine = (session: SessionHandle, uuid: string): SdkMessage => {
  const { facts } = session
  const state = session.state()
  return {
    type: "system",
    subtype: "init",
    cwd: facts.cwd,
    session_id: facts.sessionId,
    tools: state.config.tools.map((tool) => tool.name),
    mcp_servers: [],
    model: state.config.choice.model,
    permissionMode: state.permission.mode,
    slash_commands: [],
    apiKeySource: facts.apiKeySource,
    claude_code_version: COMPATIBILITY_VERSION,
    nacre_version: facts.version,
    output_style: "default",
    agents: [],
    skills: [],
    plugins: [],
    capabilities: CAPABILITIES,
    ...(state.config.choice.betas.length === 0 ? {} : { betas: state.config.choice.betas }),
    ...(state.config.choice.effort === undefined ? {} : { effort: state.config.choice.effort }),
    uuid
  }
}
