import { visible } from "../../../core/domain/text/visible-text.ts"
import type { InquiryAnswer } from "../../../core/permission/decide/inquiry.ts"
import type { NearMiss } from "../../../core/permission/rules/near-miss.ts"

export interface Explained {
  readonly answer: InquiryAnswer
  /** Texts that deny and ask rules were compared with. */
  readonly tried: ReadonlyArray<string>
  readonly misses: ReadonlyArray<NearMiss>
}

const section = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : ["", `${title}:`, ...lines.map((line) => `  ${line}`)]

/** A decision for people to read: the answer first, then its parts, then how it was found. */
export const describeAnswer = ({ answer, tried, misses }: Explained): string =>
  [
    `${answer.decision}: ${answer.reason}`,
    ...section(
      "Parts",
      (answer.subcommands ?? []).map(({ text, decision, reason }) => `${decision.padEnd(5)} ${visible(text)} — ${reason}`)
    ),
    ...section("Texts compared with rules", [...new Set(tried)].map(visible)),
    ...section(
      "Near misses",
      misses.map(({ rule, text, column }) => `${rule} did not match ${visible(text)}: text differs at column ${column}`)
    ),
    ...section(
      "Steps",
      answer.trace.map(({ step, result, detail }) => `${step.padEnd(14)} ${result.padEnd(4)} ${detail}`)
    ),
    ...section("Warnings", answer.warnings ?? []),
    ""
  ].join("\n")
