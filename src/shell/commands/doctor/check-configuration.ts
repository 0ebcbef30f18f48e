import { realpathSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { examineInstructions } from "../../../core/context/instructions/examine.ts"
import { credentialFindings, settingsFinding, variableFindings } from "../../../core/settings/doctor/configuration.ts"
import { shadowedRules } from "../../../core/permission/configuration/shadowed-rules.ts"
import { type Examination, type Finding, mergeExaminations } from "../../../core/settings/doctor/finding.ts"
import { serverFindings } from "../../../core/settings/doctor/servers.ts"
import { GlobalConfig } from "../../../core/ports/GlobalConfig.ts"
import { Settings } from "../../../core/ports/Settings.ts"
import { type Env, isOn } from "../../../core/domain/env.ts"
import { expandAlias, OFFLINE_MODEL } from "../../../core/model/catalog/model-alias.ts"
import { describeProvider, searchProvider, type SearchSettings } from "../../../core/tools/web/search-provider.ts"
import { searchSettings } from "../../settings/web-search-settings.ts"
import { settingOf } from "../../../core/settings/snapshot.ts"
import { wantsOf } from "../../../core/settings/trust/requested-capabilities.ts"
import { CLOSED_GATE } from "../../../core/settings/trust/gate.ts"
import { credentialPath, hasCredential } from "../../auth/credential-file.ts"
import { readInstructions } from "../../instructions/read-instructions.ts"
import { trustLayer } from "../../layers/ports.ts"
import { trustOptions } from "../../plan/environment.ts"
import { openSettings } from "../../settings/open-settings.ts"
import { type FolderTrust, inspectFolder } from "../../trust/folder-trust.ts"
import { realOr } from "../../trust/read-folder.ts"
import { loadKeymap } from "../../system/keybindings-file.ts"
import type { Place } from "./doctor-context.ts"

/** Settings, rules, variables, the folder and its servers: all read as data. */

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const trustOf = ({ decision, reading }: FolderTrust): Examination => {
  const isTrusted = decision.standing._tag === "Trusted"
  const wants = wantsOf(reading.files).length
  const facts = { trust: isTrusted ? "trusted" : wants === 0 ? "the folder asks for nothing" : "restricted" }
  if (!decision.ignores) return { facts, findings: [] }
  const message = isTrusted
    ? "the folder's settings have new entries, which do not hold yet"
    : `the folder is not trusted: ${wants} of its ${wants === 1 ? "entries does" : "entries do"} not hold`
  const finding: Finding = {
    id: isTrusted ? "trust.changed" : "trust.restricted",
    level: "info",
    area: "trust",
    message,
    fix: "nacre trust list . shows them, nacre trust add accepts them"
  }
  return { facts, findings: [finding] }
}

const serversAt = (paths: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const found = yield* Effect.forEach(paths, (path) =>
      Effect.map(settings.read({ source: "projectSettings", path, kind: "workspace" }), (read) => ({ path, read }))
    )
    return found.flatMap(({ path, read }): ReadonlyArray<Finding> => {
      if (read._tag === "Absent") return []
      if (read._tag === "Found") return serverFindings(path, read.text)
      return [{ id: "mcp.file", level: "error", area: "mcp", message: read.reason, file: path, fix: read.fix }]
    })
  })

/** The shared file of the user. Where it is broken nothing about the folder can be told. */
const globalProblem = Effect.map(
  Effect.flatMap(GlobalConfig, ({ read }) => Effect.result(read)),
  (read): ReadonlyArray<Finding> =>
    read._tag === "Failure"
      ? [{ id: "files.global-config", level: "error", area: "files", message: read.failure.message }]
      : []
)

const keybindings = (configHome: string): Examination => ({
  facts: {},
  findings: loadKeymap(configHome, { keyboard: "extended" }).notices.map((message) => ({
    id: "keybindings.entry",
    level: "warning",
    area: "keybindings",
    message,
    fix: "correct keybindings.json there"
  }))
})

/** With the models that are usual; the offline model needs nobody to search. */
const webSearch = (settings: SearchSettings, env: Env): Examination => {
  const provider = searchProvider(settings, { env, model: expandAlias("default") ?? OFFLINE_MODEL })
  const facts = { webSearch: describeProvider(provider) }
  if (provider._tag !== "None" || settings.provider === "off") return { facts, findings: [] }
  const finding: Finding = {
    id: "tools.web-search",
    level: "warning",
    area: "tools",
    message: `WebSearch is not offered: ${provider.why}`,
    fix: "set what is missing, or nacre config set nacre.webSearch.provider auto"
  }
  return { facts, findings: [finding] }
}

export const examineConfiguration = (place: Place): Effect.Effect<Examination> => {
  const { env, home, configHome, cwd } = place
  const startDir = realpathSync(cwd)
  const at = { startDir, home: realOr(home), configHome: realOr(configHome) }
  return Effect.gen(function* () {
    const broken = yield* globalProblem
    const folder = yield* inspectFolder(at, isOn(env["NACRE_TRUST"]), true).pipe(Effect.orElseSucceed(() => undefined))
    const gate = folder?.gate ?? CLOSED_GATE
    const hub = openSettings({ env, home, configHome, startDir }, () => gate)
    const { problems, permissions, env: merged, snapshot } = hub.current()
    const isUnaccepted = folder !== undefined && (folder.decision.question !== undefined || folder.decision.ignores)
    const places = { cwd: startDir, home, configHome, env: merged.own, settings: hub, additionalDirs: [], isUnaccepted }
    const { found } = yield* readInstructions({ ...places, start: { settings: {} } })
    const servers = folder?.reading.paths.filter((path) => path.endsWith(".mcp.json")) ?? [join(startDir, ".mcp.json")]
    const helper = settingOf(snapshot, "apiKeyHelper") === undefined ? undefined : "apiKeyHelper"
    const kept = helper ?? (hasCredential(configHome) ? credentialPath(configHome) : undefined)
    const credential = credentialFindings(merged.own, kept)
    const files = snapshot.layers.map(({ file }) => file)
    return mergeExaminations([
      { facts: { settings: files.join(", ") || "no file" }, findings: problems.map(settingsFinding) },
      { facts: { rules: plural(permissions.rules.length, "rule") }, findings: shadowedRules(permissions.rules) },
      { facts: {}, findings: variableFindings(merged.own) },
      ...(folder === undefined ? [] : [trustOf(folder)]),
      { facts: {}, findings: [...broken, ...(yield* serversAt(servers))] },
      examineInstructions(found),
      webSearch(searchSettings(snapshot), merged.children),
      keybindings(configHome),
      { facts: { credential: credential.fact }, findings: credential.findings }
    ])
  }).pipe(Effect.provide(trustLayer(trustOptions(env, home))))
}
