import type { SearchSettings } from "../../core/tools/web/search-provider.ts"
import { settingOf, type Snapshot } from "../../core/settings/snapshot.ts"

/** `nacre.webSearch` as it stands now. */
export const searchSettings = (snapshot: Snapshot): SearchSettings => ({
  provider: settingOf(snapshot, "nacre.webSearch.provider"),
  url: settingOf(snapshot, "nacre.webSearch.url"),
  keyEnv: settingOf(snapshot, "nacre.webSearch.keyEnv"),
  server: settingOf(snapshot, "nacre.webSearch.server"),
  tool: settingOf(snapshot, "nacre.webSearch.tool")
})
