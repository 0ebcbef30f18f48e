import { text } from "../../domain/block.ts"
import { escapeReminders, reminder } from "../../model/request/fence.ts"
import type { CallResult } from "../machine/state.ts"

/** The result with what hooks have to say about the call beside it. */
export const withRemark = (result: CallResult, ...remarks: ReadonlyArray<string | undefined>): CallResult => {
  const remark = remarks.filter((one) => one !== undefined && one !== "").join("\n")
  if (remark === "") return result
  const { text: feedback } = reminder(escapeReminders(remark))
  const { content } = result
  return { ...result, content: typeof content === "string" ? `${content}\n\n${feedback}` : [...content, text(feedback)] }
}
