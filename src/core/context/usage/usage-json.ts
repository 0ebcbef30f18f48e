import type { ContextUsage } from "./context-usage.ts"
import { type Finding, findingsOf } from "./findings.ts"
import type { UsageChange } from "./compare.ts"
import type { InstructionReport } from "./instruction-report.ts"
import { type ItemSource, type UsageItem, uuidOf } from "./item.ts"

/** What `nacre context --json` prints. Programs read it: fields are added and never change their meaning. */

const sourceJson = (source: ItemSource): Readonly<Record<string, unknown>> => {
  switch (source.kind) {
    case "tool":
    case "server":
    case "builtin":
      return { kind: source.kind }
    case "file":
    case "message":
      return source
  }
}

const itemJson = (item: UsageItem): Readonly<Record<string, unknown>> => ({
  label: item.label,
  tokens: item.tokens,
  source: sourceJson(item.source),
  ...(item.turn === undefined ? {} : { turn: item.turn }),
  cached: item.cached,
  pinned: item.pinned
})

const findingJson = ({ code, text, freesTokens }: Finding): Readonly<Record<string, unknown>> => ({
  code,
  text,
  ...(freesTokens === undefined ? {} : { frees: freesTokens })
})

export interface UsageReport {
  readonly session: string | null
  readonly usage: ContextUsage
  readonly instructions: ReadonlyArray<InstructionReport>
}

export const usageJson = ({ session, usage, instructions }: UsageReport): Readonly<Record<string, unknown>> => {
  const { status, scale } = usage
  return {
    version: 1,
    session,
    model: usage.model,
    window: status.windowTokens,
    effective: status.effectiveTokens,
    used: status.usedTokens,
    estimated: status.isEstimated,
    scale: Math.round(scale * 1_000) / 1_000,
    thresholds: {
      warning: status.warningTokens,
      error: status.errorTokens,
      auto: status.autoCompact ? status.autoTokens : null,
      blocking: status.blockingTokens
    },
    state: status.state,
    percentLeft: status.percentLeft,
    categories: [
      ...usage.categories.map(({ id, label, tokens, items }) => ({ id, label, tokens, items: items.map(itemJson) })),
      ...usage.spaces.map(({ id, label, tokens }) => ({ id, label, tokens, items: [] }))
    ],
    instructions,
    findings: findingsOf(usage).map(findingJson)
  }
}

/** What `--diff` prints for programs. */
export const changeJson = (change: UsageChange, turns: readonly [number, number]): Readonly<Record<string, unknown>> => ({
  version: 1,
  before: { turn: turns[0], used: change.before.usedTokens },
  after: { turn: turns[1], used: change.after.usedTokens },
  categories: change.categories.map(({ id, label, before, after, added, removed }) => ({
    id,
    label,
    before,
    after,
    added: added.map(itemJson),
    removed: removed.map((item) => ({ label: item.label, tokens: item.tokens, uuid: uuidOf(item) ?? null }))
  }))
})
