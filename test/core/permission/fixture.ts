import type { PermissionContext } from "../../../src/core/permission/context.ts"
import { makeContext } from "../../../src/core/permission/configuration/make-context.ts"
import { decide } from "../../../src/core/permission/decide/decide.ts"
import { NO_FACTS } from "../../../src/core/permission/facts.ts"
import { factsWanted } from "../../../src/core/permission/decide/facts-wanted.ts"
import type { Need } from "../../../src/core/permission/need.ts"
import { locationOf } from "../../../src/core/domain/path/path-components.ts"
import type { DecidedTool, HookVerdict, PermissionRequest } from "../../../src/core/permission/permission-request.ts"
import type { Decision, PermissionMode } from "../../../src/core/permission/verdict.ts"
import { plainFacts, type World } from "../../support/plain-facts.ts"

/** A session started in /work by a user whose home is /home/u; nothing is on disk. */
export interface Setting {
  readonly mode?: PermissionMode
  readonly allow?: ReadonlyArray<string>
  readonly ask?: ReadonlyArray<string>
  readonly deny?: ReadonlyArray<string>
  readonly dirs?: ReadonlyArray<string>
}

export const contextFor = ({ mode = "default", allow = [], ask = [], deny = [], dirs = [] }: Setting): PermissionContext => {
  return makeContext({
    mode,
    cwd: locationOf("/work"),
    home: locationOf("/home/u"),
    additionalDirs: dirs.map((dir) => locationOf(dir)),
    bypassAvailable: true,
    autoAvailable: true,
    canPrompt: true,
    configHome: "/home/u/.claude",
    readableDirs: ["/home/u/.claude/projects/work/session"],
    allow,
    ask,
    deny
  }).context
}

const TOOL_OF: Record<Need["kind"], string> = {
  read: "Read",
  edit: "Edit",
  shell: "Bash",
  fetch: "WebFetch",
  nothing: "TodoWrite",
  interaction: "AskUserQuestion",
  other: "WebSearch"
}

export interface Call {
  readonly need: Need
  readonly tool?: DecidedTool
  /** What is not as it seems; null: nobody looked. */
  readonly world?: World | null
  readonly input?: unknown
  readonly cwd?: string
  readonly hook?: HookVerdict
}

export const requestIn = (setting: Setting, { need, tool, input = {}, cwd, hook }: Call) => ({
  context: contextFor(setting),
  tool: tool ?? { name: TOOL_OF[need.kind], aliases: [] },
  needs: [need],
  input,
  ...(cwd === undefined ? {} : { cwd }),
  ...(hook === undefined ? {} : { hook })
})

/** What is asked for, decided in a plain world. */
export const decidePlainly = (request: Omit<PermissionRequest, "facts">, world?: World): Decision =>
  decide({ ...request, facts: plainFacts(factsWanted(request), world) })

export const decideIn = (setting: Setting, call: Call): Decision => {
  const request = requestIn(setting, call)
  return call.world === null ? decide({ ...request, facts: NO_FACTS }) : decidePlainly(request, call.world)
}

export const read = (path: string): Need => ({ kind: "read", path })
export const edit = (path: string): Need => ({ kind: "edit", path })
export const shell = (command: string): Need => ({ kind: "shell", command })
export const fetch = (host: string): Need => ({ kind: "fetch", url: `https://${host}/`, host })

export const verdictOn = (setting: Setting, need: Need): Decision["verdict"] => decideIn(setting, { need }).verdict
