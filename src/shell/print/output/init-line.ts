import type { SessionHandle } from "../../session/session-handle.ts"
import { COMPATIBILITY_VERSION } from "../../process/version.ts"
import type { SdkMessage } from "./sdk-message.ts"

const CAPABILITIES = ["interrupt_receipt_v1", "interrupt_cancel_queued_v1"]

/** A server that brings tools, as hosts hear of it. */
export interface ServerStatus {
  readonly name: string
  readonly status: "pending" | "connected" | "failed"
  readonly error?: string
}

/** `system/init`: what this session is, sent at the start of every turn. */
export const initLine = (session: SessionHandle, servers: ReadonlyArray<ServerStatus>, uuid: string): SdkMessage => {
  const { facts } = session
  const state = session.state()
  return {
    type: "system",
    subtype: "init",
    cwd: facts.cwd,
    session_id: facts.sessionId,
    tools: state.toolbox.definitions.map((tool) => tool.name),
    mcp_servers: servers.map(({ name, status }) => ({ name, status, source: "sdk" })),
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
    ...(facts.memory._tag === "On" ? { memory_paths: { auto: `${facts.memory.path}/` } } : {}),
    capabilities: CAPABILITIES,
    ...(state.config.choice.betas.length === 0 ? {} : { betas: state.config.choice.betas }),
    ...(state.config.choice.effort === undefined ? {} : { effort: state.config.choice.effort }),
    uuid
  }
}
