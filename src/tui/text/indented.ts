const INDENT = "  "

export const indentLines = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.map((line) => (line === "" ? "" : `${INDENT}${line}`))
