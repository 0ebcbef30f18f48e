import { type Env, isOff, isOn, readVariable } from "../../domain/env.ts"
import { isInside, resolvePath } from "../../domain/path/path-components.ts"
import { isProjectDirName, projectSlug } from "../../session/slug.ts"

/** What the place of the memory depends on. Paths are real ones. */
export interface MemoryFacts {
  readonly env: Env
  /** The setting `autoMemoryEnabled`. */
  readonly enabled: boolean | undefined
  /** The setting `autoMemoryDirectory`. */
  readonly directory: string | undefined
  readonly isBare: boolean
  readonly home: string
  readonly configHome: string
  /** The main checkout around the directory that the program was started in, else that directory. */
  readonly project: string
}

/** Where memory is kept; or why there is none, and what to do where that is not what somebody wanted. */
export type MemoryPlace =
  | { readonly _tag: "On"; readonly path: string }
  | { readonly _tag: "Off"; readonly why: string; readonly problem?: string }

const off = (why: string): MemoryPlace => ({ _tag: "Off", why })

const refused = (name: string, path: string, why: string): MemoryPlace => ({
  _tag: "Off",
  why: `${name} cannot be used`,
  problem: `${name} ${path} ${why}, so nothing is remembered. Fix: name a directory of its own, absolute or with ~/`
})

/** Names below the home directory that hold keys or change how programs behave. */
const CREDENTIALS = [".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config"]

/** Why a directory must not become the memory: whoever may write there without a question could do harm. */
export const memoryRefusal = (path: string, { home, configHome }: Pick<MemoryFacts, "home" | "configHome">) => {
  if (isInside(path, home) || isInside(path, configHome)) return "is the home directory, the configuration, or around them"
  const below = CREDENTIALS.find((name) => isInside(resolvePath(home, name), path))
  return below === undefined ? undefined : `lies in ~/${below}`
}

const chosen = (name: string, given: string, facts: MemoryFacts): MemoryPlace => {
  const text = given.trim()
  if (!text.startsWith("/") && !text.startsWith("~/")) return refused(name, text, "is not absolute")
  const path = text.startsWith("~/") ? resolvePath(facts.home, text.slice(2)) : resolvePath("/", text)
  const why = memoryRefusal(path, facts)
  return why === undefined ? { _tag: "On", path } : refused(name, text, why)
}

const usual = ({ env, configHome, project }: MemoryFacts): MemoryPlace => {
  const named = readVariable(env, "PROJECT_DIR_NAME")
  const name = named !== undefined && isProjectDirName(named) ? named : projectSlug(project)
  return { _tag: "On", path: resolvePath(configHome, `projects/${name}/memory`) }
}

/** Where the agent keeps what it learns between conversations. A variable goes before the setting. */
export const memoryPlace = (facts: MemoryFacts): MemoryPlace => {
  const { env } = facts
  const variable = readVariable(env, "DISABLE_AUTO_MEMORY")
  if (facts.isBare) return off("--bare")
  if (isOn(variable)) return off("CLAUDE_CODE_DISABLE_AUTO_MEMORY is set")
  if (facts.enabled === false && !isOff(variable)) return off("autoMemoryEnabled is false")
  const override = env["NACRE_MEMORY_DIR"] || env["CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"]
  if (override) return chosen("NACRE_MEMORY_DIR", override, facts)
  if (facts.directory !== undefined) return chosen("autoMemoryDirectory", facts.directory, facts)
  return usual(facts)
}
