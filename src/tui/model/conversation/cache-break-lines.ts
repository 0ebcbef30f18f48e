import { countText } from "../../../core/domain/text/count-text.ts"
import { rereadCost } from "../../../core/model/catalog/cost.ts"
import { type CacheWatch, describeChange } from "../../../core/model/tokens/cache-breaks.ts"
import { plural, secondsText } from "../../transcript/number-format.ts"

const SHOWN = 5

const costText = (usd: number | undefined): string => (usd === undefined || usd === 0 ? "" : ` · about $${usd.toFixed(4)}`)

/** When the prompt cache did not give back what it held, why, and what reading it again cost; newest first. */
export const cacheBreakLines = ({ breaks, count, lostTokens }: CacheWatch, now: number): ReadonlyArray<string> =>
  count === 0
    ? []
    : [
        `cache lost    ${plural(count, "time")}, ${countText(lostTokens)} tokens read again`,
        ...breaks
          .toReversed()
          .slice(0, SHOWN)
          .map(
            ({ at, changed, lostTokens: lost, model }) =>
              `  ${secondsText(now - at)} ago: ${describeChange(changed)} · ${countText(lost)} tokens${costText(rereadCost(model, lost))}`
          )
      ]
