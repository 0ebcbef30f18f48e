const INDENT = "  "

export const indented = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.map((line) => (line === "" ? "" : `${INDENT}${line}`))
