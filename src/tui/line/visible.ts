import { type TextKind, visibleText } from "../text/sanitize.ts"

/** Text from outside as it may be written to a terminal. What a user judges shows every character without a shape. */
export const visible = (text: string, kind: TextKind = "command"): string => visibleText(text.replaceAll("\r\n", "\n"), kind)
