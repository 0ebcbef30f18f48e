import type { InquiryPlace } from "../../core/permission/inquiry.ts"
import type { CommandIo } from "./command-io.ts"

/** Where a decision is explained, and the rules of settings files, where they count. */
export const inquiryPlace = (io: CommandIo, _withSettings: boolean): InquiryPlace => ({ cwd: io.cwd, home: io.home })
