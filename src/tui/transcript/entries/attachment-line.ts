import type { AttachmentMessage } from "../../../core/domain/message.ts"
import { fieldsOf, textField } from "../fields.ts"
import { plural } from "../number-format.ts"

const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0)

/** How much of a text was read; nothing is said of what has no lines. */
const linesText = (attachment: AttachmentMessage["attachment"]): string => {
  const { numLines, startLine, totalLines } = fieldsOf(fieldsOf(attachment["content"])["file"])
  const [count, first] = [numberOf(numLines), numberOf(startLine)]
  if (count === 0) return ""
  return count < numberOf(totalLines) ? ` (lines ${first}-${first + count - 1})` : ` (${plural(count, "line")})`
}

/** What an attachment says to the reader, as one line; nothing when it only matters to the model. */
export const attachmentLine = ({ attachment }: AttachmentMessage): string => {
  const path = textField(attachment, "displayPath", "filename", "filePath", "path")
  switch (attachment.type) {
    case "file":
      return path === "" ? "" : `read ${path}${linesText(attachment)}`
    case "directory":
      return path === "" ? "" : `listed ${path}`
    case "already_read_file":
    case "pdf_reference":
      return path
    case "agent_mention":
      return `asked for the agent ${textField(attachment, "agentType")}`
    case "edited_text_file":
    case "changed_file":
      return path === "" ? "" : `${path} changed on disk`
    case "task_status":
    case "task_notice":
      return `${textField(attachment, "description", "taskId", "id")} ${textField(attachment, "status")}`.trim()
    default:
      return ""
  }
}
