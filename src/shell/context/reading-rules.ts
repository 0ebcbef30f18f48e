import { Effect } from "effect"
import { type PathFact, factAbout } from "../../core/domain/path/path-components.ts"
import type { PermissionContext } from "../../core/permission/context.ts"
import { decide } from "../../core/permission/decide/decide.ts"
import { factsWanted } from "../../core/permission/decide/facts-wanted.ts"
import type { Decision } from "../../core/permission/verdict.ts"
import { readTool } from "../../core/tools/files/read.ts"
import { type FactPorts, gatherFacts } from "../facts/gather-facts.ts"

/** What the rules in force say about reading a file, and where its path leads. */
export interface ReadingRule {
  readonly fact: PathFact | undefined
  readonly decision: Decision
}

export const readingRule = Effect.fnUntraced(function* (
  path: string,
  { permission, cwd }: { readonly permission: PermissionContext; readonly cwd: string }
): Effect.fn.Return<ReadingRule, never, FactPorts> {
  const need = { kind: "read", path } as const
  const request = { context: permission, tool: readTool, needs: [need], input: { file_path: path }, cwd }
  const facts = yield* gatherFacts(factsWanted(request))
  return { fact: factAbout(facts.paths, path), decision: decide({ ...request, facts }) }
})
