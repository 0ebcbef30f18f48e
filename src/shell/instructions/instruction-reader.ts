import { Effect } from "effect"
import type { Touched } from "../../core/context/instructions/discover.ts"
import type { InstructionFile } from "../../core/context/instructions/instruction-file.ts"
import type { Items } from "../../core/context/sources/source.ts"
import type { Files } from "../../core/ports/Files.ts"
import type { Git } from "../../core/ports/Git.ts"
import type { InstructionPlan } from "./instruction-place.ts"
import { type Instructions, readInstructions, readNested } from "./read-instructions.ts"

/** The instruction files of one conversation: as they were when its window began, until it begins anew. */
type Beside = Items<"instructions">

type Reading<A> = Effect.Effect<A, never, Files | Git>

export interface InstructionReader {
  /** Read now; from here on they stay as they are. */
  readonly renew: Reading<ReadonlyArray<InstructionFile>>
  /** As the window began. The user hears what has changed on the disk since. */
  readonly standing: Reading<ReadonlyArray<InstructionFile>>
  /** Something else that the window begins with: read once, and again when it begins anew. */
  readonly onceInWindow: <R>(read: Effect.Effect<Beside, never, R>) => Effect.Effect<Beside, never, R>
  /** What comes with files, beside that. */
  readonly withFiles: (files: ReadonlyArray<Touched>) => Reading<ReadonlyArray<InstructionFile>>
}

export interface Notices {
  readonly say: (level: "info" | "warning", text: string) => void
}

const listed = (paths: ReadonlyArray<string>): string =>
  paths.length <= 3 ? paths.join(", ") : `${paths.slice(0, 3).join(", ")} and ${paths.length - 3} more`

const LATER = "It counts from the next compaction, /clear or resumed session on; /memory reload takes it in now."

const changedPaths = (before: Instructions, after: Instructions): ReadonlyArray<string> => {
  const textsOf = ({ found: { files, rules } }: Instructions) =>
    new Map([...files, ...rules.flatMap((rule) => rule.files)].map(({ path, text }) => [path, text]))
  const [old, now] = [textsOf(before), textsOf(after)]
  return [...new Set([...old.keys(), ...now.keys()])].filter((path) => old.get(path) !== now.get(path))
}

const problemsOf = ({ found: { skipped, askFor } }: Instructions): ReadonlyArray<string> => [
  ...skipped.filter(({ isWarning }) => isWarning === true).map(({ path, why }) => `${path}: ${why}`),
  ...(askFor.length === 0
    ? []
    : [`Instructions import from outside of the project: ${listed(askFor)}. To let them in: nacre trust imports`])
]

export const makeInstructionReader = (plan: InstructionPlan, { say }: Notices): InstructionReader => {
  const said = new Set<string>()
  const sayOnce = (level: "info" | "warning", text: string): void => {
    if (!said.has(text)) say(level, text)
    said.add(text)
  }
  let current: Instructions | undefined
  let beside: Beside | undefined
  const read = Effect.map(readInstructions(plan), (instructions) => {
    for (const problem of problemsOf(instructions)) sayOnce("warning", problem)
    return instructions
  })
  const renewed = Effect.map(read, (instructions) => {
    beside = undefined
    return (current = instructions)
  })
  const known = Effect.suspend(() => (current === undefined ? renewed : Effect.succeed(current)))
  return {
    renew: Effect.map(renewed, ({ found }) => found.files),
    standing: Effect.suspend(() => {
      if (current === undefined) return Effect.map(renewed, ({ found }) => found.files)
      const before = current
      return Effect.map(read, (now) => {
        const paths = changedPaths(before, now)
        if (paths.length > 0) sayOnce("info", `Changed: ${listed(paths)}. ${LATER}`)
        return before.found.files
      })
    }),
    onceInWindow: (given) =>
      Effect.suspend(() => (beside === undefined ? Effect.map(given, (items) => (beside = items)) : Effect.succeed(beside))),
    withFiles: Effect.fnUntraced(function* (files) {
      const instructions = yield* known
      const byPath = new Map<string, InstructionFile>()
      for (const file of files) {
        const nested = yield* readNested(plan, instructions, file)
        for (const problem of problemsOf(nested)) sayOnce("warning", problem)
        for (const each of nested.found.files) if (!byPath.has(each.path)) byPath.set(each.path, each)
      }
      return [...byPath.values()]
    })
  }
}
