import type { ModelRequest } from "../../model/request/model-request.ts"
import { type CacheControl, text, type TextBlock } from "../../domain/block.ts"
import type { AutoLists } from "../auto-mode-lists.ts"
import instructions from "./classifier.md"
import fast from "./classifier-fast.md"
import reasoned from "./classifier-reasoned.md"

/** One line of the record that the classifier sees; what came of calls is never in it. */
export type RecordLine =
  | { readonly user: string }
  | { readonly call: string; readonly input: string; readonly denied?: true }

/** Everything that the classifier is told about one call, as plain data. */
export interface CheckInquiry {
  readonly lists: AutoLists
  /** Instruction files. */
  readonly notes: string | undefined
  readonly record: ReadonlyArray<RecordLine>
  /** Older lines did not fit. */
  readonly isCut: boolean
  readonly action: {
    readonly tool: string
    readonly input: string
    readonly cwd: string
    readonly working_directories: ReadonlyArray<string>
    readonly why_asked: string
  }
  readonly model: string
  readonly caching: { readonly enabled: boolean; readonly ttl: "5m" | "1h" }
}

/** First a quick look; a reasoned one only when that had doubts. */
export type CheckStage = "fast" | "reasoned"

const ASKED: Readonly<Record<CheckStage, string>> = { fast, reasoned }
const ANSWER_TOKENS: Readonly<Record<CheckStage, number>> = { fast: 128, reasoned: 2_048 }

const markOf = ({ enabled, ttl }: CheckInquiry["caching"]): { readonly cache_control?: CacheControl } =>
  enabled ? { cache_control: ttl === "1h" ? { type: "ephemeral", ttl } : { type: "ephemeral" } } : {}

/** An element whose content cannot end it: JSON lines have no raw bracket that would. */
const element = (name: string, content: string): string => `<${name}>\n${content.replaceAll("<", "\\u003c")}\n</${name}>`

const jsonLine = (value: unknown): string => JSON.stringify(value)

const recordText = ({ record, isCut }: CheckInquiry): string =>
  [...(isCut ? ['{"note": "older lines are left out"}'] : []), ...record.map(jsonLine)].join("\n")

const knownText = (inquiry: CheckInquiry): string => {
  const { environment, allow, softDeny, hardDeny } = inquiry.lists
  return [
    element("lists", jsonLine({ environment, allow, soft_deny: softDeny, hard_deny: hardDeny })),
    ...(inquiry.notes === undefined ? [] : [element("notes", jsonLine(inquiry.notes))]),
    element("record", recordText(inquiry))
  ].join("\n\n")
}

const actionText = ({ action }: CheckInquiry, workingTree: string | undefined): string =>
  [
    ...(workingTree === undefined ? [] : [element("working_tree", jsonLine(workingTree))]),
    element("action", jsonLine(action))
  ].join("\n\n")

export interface CheckLook {
  readonly stage: CheckStage
  /** What `git status` says, before something that could lose work. */
  readonly workingTree?: string
}

/** The request of one stage. Both stages share everything but the last block, so that the second one is cached. */
export const checkRequest = (inquiry: CheckInquiry, { stage, workingTree }: CheckLook): ModelRequest => {
  const mark = markOf(inquiry.caching)
  const shared: ReadonlyArray<TextBlock> = [
    { ...text(knownText(inquiry)), ...mark },
    text(actionText(inquiry, workingTree)),
    text(ASKED[stage].trim())
  ]
  return {
    source: "classifier",
    model: inquiry.model,
    max_tokens: ANSWER_TOKENS[stage],
    tools: [],
    system: [{ ...text(instructions.trim()), ...mark }],
    messages: [{ role: "user", content: shared }]
  }
}
