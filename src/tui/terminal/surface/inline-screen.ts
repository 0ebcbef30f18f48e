import type { Size } from "../../screen/layout/size-class.ts"
import type { Reflow } from "../render/capabilities.ts"
import type { Screen } from "../render/screen.ts"
import type { Row } from "../../screen/style/row.ts"
import type { Theme } from "../../screen/style/theme.ts"
import type { Finished, Unwritten } from "./scrollback.ts"

/**
 * A screen of inline mode: the frame is only the live region, and the cursor's place is one in it. What is finished is
 * not drawn but written above it, once.
 */
export interface InlineScreen extends Screen {
  readonly inline: InlineParts
}

export interface InlineParts {
  readonly size: Size
  readonly reflow: Reflow
  /** Absent while there is no session. */
  readonly finished: Finished | undefined
  readonly theme: Theme
  /** What finished entries look like at this width. */
  readonly rows: (unwritten: Unwritten) => ReadonlyArray<Row>
  /** Shown instead on the screen beside the main one, for as long as it is there. */
  readonly cover: Screen | undefined
}

export const isInline = (screen: Screen | InlineScreen): screen is InlineScreen => "inline" in screen
