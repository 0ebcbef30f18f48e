import { describe, expect, it } from "vitest"
import { writesLostLine } from "../../../../src/shell/print/output/sdk-message.ts"

describe("lines that found no room on the disk", () => {
  it.each(["ENOSPC", "EDQUOT"])("are told of when the disk was full: %s", (code) => {
    expect(writesLostLine(code, "session", "uuid")).toEqual({
      type: "system",
      subtype: "session_writes_lost",
      error_code: code,
      lost: ["transcript"],
      transcript_session_ids: ["session"],
      session_id: "session",
      uuid: "uuid"
    })
  })

  it.each([undefined, "EROFS", "EACCES", "LINK"])("are a matter for stderr otherwise: %s", (code) => {
    expect(writesLostLine(code, "session", "uuid")).toBeUndefined()
  })
})
