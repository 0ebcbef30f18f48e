import { Effect, Exit, Scope } from "effect"
import { Settings } from "../../core/ports/Settings.ts"
import type { TrustQuestion } from "../../core/settings/trust/decide.ts"
import type { FolderTrust } from "./folder-trust.ts"

/** Looks at a trusted folder again whenever its configuration changes. */
export interface FolderWatch<R> {
  /** Absolute paths; they need not exist yet. */
  readonly paths: ReadonlyArray<string>
  readonly look: Effect.Effect<FolderTrust, unknown, R>
  /** The folder wants what nobody has seen; it does not hold until somebody accepts. */
  readonly onQuestion: (folder: FolderTrust, question: TrustQuestion) => void
}

const sameQuestion = (left: TrustQuestion | undefined, right: TrustQuestion): boolean =>
  left !== undefined && JSON.stringify(left.diff) === JSON.stringify(right.diff)

/** Follows the files until the answer is called. The same question comes once. */
export const watchFolder = <R>({
  paths,
  look,
  onQuestion
}: FolderWatch<R>): Effect.Effect<() => void, never, R | Settings> =>
  Effect.gen(function* () {
    const services = yield* Effect.context<R>()
    const scope = yield* Scope.make()
    let asked: TrustQuestion | undefined
    const lookAgain = Effect.map(look, (folder) => {
      const { standing, question } = folder.decision
      if (standing._tag === "Restricted" || question === undefined || sameQuestion(asked, question)) return
      asked = question
      onQuestion(folder, question)
    }).pipe(
      // Whoever cannot be asked now is asked at the next start.
      Effect.ignore,
      Effect.provideContext(services)
    )
    yield* Scope.provide(
      (yield* Settings).watch(paths, () => void Effect.runFork(lookAgain)),
      scope
    )
    return () => Effect.runSync(Scope.close(scope, Exit.void))
  })
