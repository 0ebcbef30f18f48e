import { notify } from "../update-result.ts"
import type { AppModel } from "../app-model.ts"
import type { SessionModel } from "../session-model.ts"

/** A search that ends late still says what became of it. */
export const withSearchNotice = (model: AppModel, { list: { outcome } }: SessionModel): AppModel =>
  outcome?._tag === "Notice" ? notify(model, outcome.text) : model
