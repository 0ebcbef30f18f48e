import { lineRow } from "../../text/line-rows.ts"
import type { Row, Span } from "../../screen/style/row.ts"
import { shortenSpans } from "../../transcript/rows/compose.ts"

const MORE = "…"

/** One row in which the longest part gives way in its middle: of a path the name of the file says most. */
export const shortRow = (spans: ReadonlyArray<Span>, width: number): Row => lineRow(shortenSpans(spans, width, MORE), width)
