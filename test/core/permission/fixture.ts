import { makeContext, type PermissionContext } from "../../../src/core/permission/context.ts"
import { decide } from "../../../src/core/permission/decide.ts"
import type { Need, PathFact } from "../../../src/core/permission/need.ts"
import { readRules } from "../../../src/core/permission/parse.ts"
import { locationOf, resolvePath } from "../../../src/core/permission/path-scope.ts"
import type { DecidedTool } from "../../../src/core/permission/subject.ts"
import type { Decision, PermissionMode } from "../../../src/core/permission/verdict.ts"

/** A session started in /work by a user whose home is /home/u; nothing is on disk. */
export interface Setting {
  readonly mode?: PermissionMode
  readonly allow?: ReadonlyArray<string>
  readonly ask?: ReadonlyArray<string>
  readonly deny?: ReadonlyArray<string>
  readonly dirs?: ReadonlyArray<string>
}

export const contextFor = (
  { mode = "default", allow = [], ask = [], deny = [], dirs = [] }: Setting
): PermissionContext => {
  const { context } = makeContext({
    mode,
    cwd: locationOf("/work"),
    home: locationOf("/home/u"),
    additionalDirs: dirs.map((dir) => locationOf(dir)),
    bypassAvailable: true,
    canPrompt: true,
    configHome: "/home/u/.claude",
    readableDirs: ["/home/u/.claude/projects/work/session"],
    allow,
    deny
  })
  return { ...context, rules: [...context.rules, ...readRules(ask, { behavior: "ask", source: "session" }).rules] }
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

export const factOf = (path: string, realPath = path): PathFact => ({ path, realPath, exists: true })

export interface Call {
  readonly need: Need
  readonly tool?: DecidedTool
  readonly facts?: ReadonlyArray<PathFact>
  readonly input?: unknown
  readonly cwd?: string
}

export const decideIn = (setting: Setting, { need, tool, facts, input = {}, cwd }: Call): Decision => {
  const path = "path" in need ? resolvePath(cwd ?? "/work", need.path) : undefined
  return decide({
    context: contextFor(setting),
    tool: tool ?? { name: TOOL_OF[need.kind], aliases: [] },
    needs: [need],
    facts: facts ?? (path === undefined ? [] : [factOf(path)]),
    input,
    ...(cwd === undefined ? {} : { cwd })
  })
}

export const read = (path: string): Need => ({ kind: "read", path })
export const edit = (path: string): Need => ({ kind: "edit", path })
export const shell = (command: string): Need => ({ kind: "shell", command })
export const fetch = (host: string): Need => ({ kind: "fetch", url: `https://${host}/`, host })

export const verdictOn = (setting: Setting, need: Need): Decision["verdict"] => decideIn(setting, { need }).verdict
