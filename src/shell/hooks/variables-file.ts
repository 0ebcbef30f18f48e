import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Env } from "../../core/domain/env.ts"
import { readEnvFile } from "../../core/hooks/env-file.ts"
import type { HookOrigin } from "../../core/hooks/handler.ts"
import type { HookEvent } from "../../core/hooks/hook-event.ts"
import { isFileVariable, isVariableName } from "../../core/settings/trust/settable-variables.ts"
import { writeWhole } from "../system/private-file.ts"

/** Variables that handlers leave in a file of their own for later commands of the session. */

/** An empty file for one handler; undefined where none can be made. */
export const openVariablesFile = (directory: string, event: HookEvent, index: number): string | undefined => {
  const path = join(directory, `${event.toLowerCase()}-hook-${index}.sh`)
  try {
    writeWhole(path, "")
    return path
  } catch {
    return undefined
  }
}

const mayName = (name: string, { source }: HookOrigin): boolean =>
  source === "host" ? isVariableName(name) : isFileVariable(name, source)

export interface VariablesRead {
  readonly variables: Readonly<Record<string, string>>
  readonly problems: ReadonlyArray<string>
}

/** A repository may not name variables that change what programs run. */
export const readVariablesFile = (path: string, from: HookOrigin, known: Env): VariablesRead => {
  let text: string
  try {
    text = readFileSync(path, "utf8")
  } catch {
    return { variables: {}, problems: [] }
  }
  const { variables, refused } = readEnvFile(text, known)
  const named = Object.entries(variables)
  const allowed = named.filter(([name]) => mayName(name, from))
  const held = named
    .filter(([name]) => !mayName(name, from))
    .map(([name]) => `the variable ${name} is not taken from this hook`)
  const unread = refused.map((line) => `not a plain assignment, so it is not used: ${line}`)
  return { variables: Object.fromEntries(allowed), problems: [...held, ...unread] }
}
