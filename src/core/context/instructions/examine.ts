import { estimateText } from "../../model/tokens/estimate.ts"
import type { Examination, Finding } from "../../settings/doctor/finding.ts"
import type { InstructionFile } from "./instruction-file.ts"
import type { Found } from "./search.ts"
import { sizeAdvice } from "./size-advice.ts"

/** What an examination of the installation says about instruction files. */

const tooLong = ({ path, text }: InstructionFile): ReadonlyArray<Finding> => {
  const advice = sizeAdvice({ chars: text.length, lines: text.split("\n").length })
  const fix = "make it shorter, or move parts into rules with paths"
  if (advice === undefined) return []
  return [{ id: "instructions.size", level: "info", area: "instructions", message: `it ${advice}`, file: path, fix }]
}

export const examineInstructions = ({ files, rules, skipped, askFor }: Found): Examination => {
  const tokens = files.reduce((sum, { text }) => sum + estimateText(text), 0)
  const left = skipped.filter(({ isWarning }) => isWarning === true)
  return {
    facts: {
      instructions: `${files.length} at the start, about ${tokens} tokens; ${rules.length} with the files they are about`
    },
    findings: [
      ...left.map(({ path, why }): Finding => ({
        id: "instructions.left-out",
        level: "warning",
        area: "instructions",
        message: `not read as it stands: ${why}`,
        file: path
      })),
      ...askFor.map((path): Finding => ({
        id: "instructions.outside",
        level: "info",
        area: "instructions",
        message: "imported from outside of the project, and not read",
        file: path,
        fix: "nacre trust imports"
      })),
      ...files.flatMap(tooLong)
    ]
  }
}
