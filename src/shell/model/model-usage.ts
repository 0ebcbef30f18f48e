import { outputCap } from "../../core/model/catalog/model.ts"
import { contextWindow } from "../../core/model/tokens/window-table.ts"
import type { ModelTotals } from "../../core/loop/machine/state.ts"

/** Totals per model in the shape that results and transcripts share. */
export const modelUsage = (models: Readonly<Record<string, ModelTotals>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(models).map(([model, totals]) => [
      model,
      {
        inputTokens: totals.usage.input_tokens,
        outputTokens: totals.usage.output_tokens,
        cacheReadInputTokens: totals.usage.cache_read_input_tokens,
        cacheCreationInputTokens: totals.usage.cache_creation_input_tokens,
        webSearchRequests: totals.usage.server_tool_use.web_search_requests,
        costUSD: totals.costUsd ?? 0,
        contextWindow: contextWindow(model),
        maxOutputTokens: outputCap(model)
      }
    ])
  )
