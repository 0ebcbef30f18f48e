import { join, resolve } from "node:path"
import { Clock, Effect, type Scope } from "effect"
import { type InstructionFile, KIND_LABELS } from "../../core/context/instructions/instruction-file.ts"
import { INDEX, indexText } from "../../core/context/memory/memory-index.ts"
import type { MemoryPlace } from "../../core/context/memory/directory.ts"
import type { Items, SeenKind, Want } from "../../core/context/sources/source.ts"
import { Files } from "../../core/ports/Files.ts"
import { Git } from "../../core/ports/Git.ts"
import { Memory } from "../../core/ports/Memory.ts"
import { environmentOf, type SessionPlan } from "../plan/session-plan.ts"
import type { InstructionReader } from "../instructions/instruction-reader.ts"
import { rawOf } from "../../core/domain/json/json-object.ts"
import { isStrange } from "../memory/memory-place.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"
import { currentModel } from "../../core/loop/turn/send-request.ts"
import { settingOf, type Snapshot } from "../../core/settings/snapshot.ts"
import type { FactPorts } from "../facts/gather-facts.ts"
import type { SessionContext } from "../tools/contract/executor.ts"
import type { FileState } from "../tools/services/file-state.ts"
import { lookAtChangedFiles } from "./look-at-changed-files.ts"
import { lookAtMentions } from "./look-at-mentions.ts"
import { restoredFiles } from "./restored-files.ts"
import { gitSnapshot } from "./git-snapshot.ts"

/** How each source is looked at. A failure is a source that is not seen this time. */
export interface LookPlace {
  readonly plan: SessionPlan
  readonly memory: MemoryPlace
  readonly instructions: InstructionReader
  /** Where it is being read already. */
  readonly repository?: Effect.Effect<Items<"git">> | undefined
  readonly cwd: string
  readonly want: Want
  readonly state: () => AgentState
  /** What calls of the session's tools may know. */
  readonly session: SessionContext
  /** Something for the user. */
  readonly tell: (remark: string) => void
}

export type LookPorts = FactPorts | FileState | Memory

type LookAt<K extends SeenKind> = (place: LookPlace) => Effect.Effect<Items<K>, unknown, LookPorts>

const two = (part: number): string => String(part).padStart(2, "0")

const localDate = (now: Date): string => `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`

const instructionItem = ({ path, kind, text, parent }: InstructionFile) => ({
  id: path,
  value: { path, kind, label: KIND_LABELS[kind], text, ...(parent === undefined ? {} : { parent }) }
})

const MEMORY_LABEL = "auto-memory: your own notes from earlier conversations, to be checked before they are relied on"

const memoryIndex = Effect.fnUntraced(function* (memory: MemoryPlace) {
  if (memory._tag === "Off") return []
  const file = yield* (yield* Memory).at(memory.path).read(INDEX)
  const text = indexText(file?.text ?? "")
  const path = join(memory.path, INDEX)
  return text === undefined ? [] : [{ id: path, value: { path, kind: "memory" as const, label: MEMORY_LABEL, text } }]
})

const instructions: LookAt<"instructions"> = Effect.fnUntraced(function* ({ memory, want, instructions: reader }) {
  const files = yield* want.about?.["isNewWindow"] === true ? reader.renew : reader.standing
  const index = yield* reader.onceInWindow(Effect.orElseSucceed(memoryIndex(memory), () => []))
  return [...files.map(instructionItem), ...index]
})

/** A file as it stands in a prompt, or as a call touched it. */
const touchedFile = ({ plan, cwd }: LookPlace, about: unknown): ReadonlyArray<string> => {
  const path = rawOf(about)?.["path"]
  if (typeof path !== "string" || path === "") return []
  return [path.startsWith("~/") ? join(plan.home, path.slice(2)) : resolve(cwd, path)]
}

const nested: LookAt<"nested"> = Effect.fnUntraced(function* (place) {
  const about = place.want.about?.["files"]
  const paths = [...new Set(Array.isArray(about) ? about.flatMap((file) => touchedFile(place, file)) : [])]
  const seen = yield* (yield* Files).present(paths)
  const touched = paths.flatMap((path, at) => {
    const found = seen[at]
    return found?.kind === "file" ? [{ path, realPath: found.realPath }] : []
  })
  const files = yield* place.instructions.withFiles(touched)
  return files.map((file) => {
    const { id, value } = instructionItem(file)
    const { reason, trigger } = file
    return { id, value: { ...value, reason, ...(trigger === undefined ? {} : { trigger }) } }
  })
})

const readRepository = Effect.fnUntraced(function* (plan: SessionPlan): Effect.fn.Return<Items<"git">, never, Git> {
  const { checkout: checkoutOf, facts } = yield* Git
  const checkout = checkoutOf(plan.cwd)
  if (checkout === undefined || isStrange(plan)) return []
  const place = { directory: plan.cwd, env: plan.env, checkout }
  const value = yield* gitSnapshot(place, facts(plan.cwd).branch ?? "none")
  return value === undefined ? [] : [{ id: "git", value }]
})

/** Git is asked while the session opens, so that a prompt that is there already need not wait for it. */
export const startRepository = Effect.fnUntraced(function* (
  plan: SessionPlan
): Effect.fn.Return<Effect.Effect<Items<"git">>, never, Git | Scope.Scope> {
  const once = yield* Effect.cached(Effect.provideContext(readRepository(plan), yield* Effect.context<Git>()))
  yield* Effect.forkScoped(once)
  return once
})

const promptOf = ({ about }: Want) => ({ uuid: String(about?.["uuid"]), text: String(about?.["text"]) })

const mentions: LookAt<"mentions"> = ({ want, cwd, state, session, tell }) =>
  lookAtMentions({
    prompt: promptOf(want),
    permission: state().permission,
    call: { ...session, cwd, model: currentModel(state()), progress: () => Effect.void, spent: () => undefined },
    tell
  })

const changedFiles: LookAt<"changed_files"> = ({ cwd, state }) => lookAtChangedFiles({ permission: state().permission, cwd })

const languageOf = (snapshot: Snapshot): Items<"language"> => {
  const language = settingOf(snapshot, "language")?.trim() ?? ""
  return language === "" ? [] : [{ id: "language", value: { language } }]
}

const COMMIT_LINE = "Co-Authored-By: Nacre <noreply@nacre.invalid>"
const PR_LINE = "Generated with Nacre"

/** Each line as the settings have it, else ours, unless the settings want none. */
const attributionOf = (snapshot: Snapshot): Items<"attribution"> => {
  const isWanted = settingOf(snapshot, "includeCoAuthoredBy") !== false
  const lineOf = (key: "attribution.commit" | "attribution.pr", usual: string): string =>
    settingOf(snapshot, key) ?? (isWanted ? usual : "")
  const value = { commit: lineOf("attribution.commit", COMMIT_LINE), pr: lineOf("attribution.pr", PR_LINE) }
  return value.commit.trim() === "" && value.pr.trim() === "" ? [] : [{ id: "attribution", value }]
}

export const LOOKS: { readonly [K in SeenKind]: LookAt<K> } = {
  mentions,
  restored: ({ want, cwd, state }) => restoredFiles(want.about, { permission: state().permission, cwd }),
  changed_files: changedFiles,
  environment: ({ plan, cwd, session }) =>
    Effect.map(Git, ({ facts }) => {
      const { additionalDirs } = session
      const value = environmentOf(plan, { cwd, additionalDirs, isGitRepo: facts(plan.cwd).isRepository })
      return [{ id: "environment", value }]
    }),
  instructions,
  nested,
  git: ({ plan, repository }) => repository ?? readRepository(plan),
  date: () => Effect.map(Clock.currentTimeMillis, (now) => [{ id: "date", value: { date: localDate(new Date(now)) } }]),
  language: ({ plan }) => Effect.sync(() => languageOf(plan.settings.current().snapshot)),
  attribution: ({ plan }) => Effect.sync(() => attributionOf(plan.settings.current().snapshot))
}
