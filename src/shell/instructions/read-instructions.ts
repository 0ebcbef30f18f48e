import { Effect } from "effect"
import { approvedImports } from "../../core/context/instructions/approved-imports.ts"
import { begin, beginNested, type Touched } from "../../core/context/instructions/discover.ts"
import type { LoadReason } from "../../core/context/instructions/instruction-file.ts"
import type { SearchPlace } from "../../core/context/instructions/place.ts"
import type { Done, Found } from "../../core/context/instructions/search.ts"
import { Git } from "../../core/ports/Git.ts"
import type { Files } from "../../core/ports/Files.ts"
import { GlobalConfig } from "../../core/ports/GlobalConfig.ts"
import { trustLayer } from "../layers/ports.ts"
import { trustOptions } from "../plan/environment.ts"
import { type InstructionPlan, instructionPlace, projectKeys } from "./instruction-place.ts"
import { runSearch } from "./run-search.ts"

/** Instruction files as a session needs them. Nothing below the folder is read before it was decided about its trust. */
export interface Instructions {
  readonly place: SearchPlace
  readonly found: Found
}

const approvalsFor = (plan: InstructionPlan, place: SearchPlace): Effect.Effect<SearchPlace["approved"]> =>
  Effect.flatMap(GlobalConfig, ({ read }) => read).pipe(
    Effect.map((config) => approvedImports(config, projectKeys(place))),
    Effect.orElseSucceed(() => new Set<string>()),
    Effect.provide(trustLayer(trustOptions(plan.env, plan.home)))
  )

/** Searches; where something waits for approval, with what was approved. The shared file can be large. */
const searched = Effect.fnUntraced(function* (
  plan: InstructionPlan,
  place: SearchPlace,
  look: (place: SearchPlace) => Effect.Effect<Done, never, Files>
): Effect.fn.Return<Instructions, never, Files> {
  const found = yield* look(place)
  if (found.askFor.length === 0) return { place, found }
  const approved = yield* approvalsFor(plan, place)
  if (approved !== "everything" && approved.size === 0) return { place, found }
  const allowed = { ...place, approved }
  return { place: allowed, found: yield* look(allowed) }
})

export const readInstructions = Effect.fnUntraced(function* (
  plan: InstructionPlan,
  reason: LoadReason = "session_start"
): Effect.fn.Return<Instructions, never, Files | Git> {
  const place = instructionPlace(plan, yield* Git)
  return yield* searched(plan, place, (each) => runSearch(begin(each, reason)))
})

/** What comes with a touched file beside what the conversation has. */
export const readNested = (plan: InstructionPlan, { place, found }: Instructions, touched: Touched) => {
  const known = new Set(found.files.map(({ path }) => path))
  return searched(plan, place, (each) => runSearch(beginNested({ place: each, touched, known, rules: found.rules })))
}

/**
 * Everything outside of the project that its instructions import, whatever was approved before. What is imported may
 * import more.
 */
export const outsideImports = Effect.fnUntraced(function* (plan: InstructionPlan) {
  const place = instructionPlace(plan, yield* Git)
  const paths = new Set<string>()
  for (;;) {
    const { askFor } = yield* runSearch(begin({ ...place, approved: paths }))
    const more = askFor.filter((path) => !paths.has(path))
    if (more.length === 0) return [...paths].toSorted()
    for (const path of more) paths.add(path)
  }
})
