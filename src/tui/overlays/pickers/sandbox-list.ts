import type { SandboxChange } from "../../model/cmd.ts"
import { type SandboxLook, sandboxReport } from "../../../core/sandbox/report.ts"
import type { SandboxSettings } from "../../../core/sandbox/settings.ts"
import type { PickerItem } from "./picker.ts"

/** What `/sandbox` lists: the mode and the overrides to choose, then what they mean here. */

interface Choosable {
  readonly id: string
  readonly group: "mode" | "overrides"
  readonly label: string
  readonly detail: string
  readonly isOn: (settings: SandboxSettings) => boolean
  readonly changes: (settings: SandboxSettings) => ReadonlyArray<SandboxChange>
}

const mode = (enabled: boolean, autoAllow: boolean) => (): ReadonlyArray<SandboxChange> => [
  { key: "sandbox.enabled", value: enabled },
  ...(enabled ? [{ key: "sandbox.autoAllowBashIfSandboxed" as const, value: autoAllow }] : [])
]

const CHOOSABLE: ReadonlyArray<Choosable> = [
  {
    id: "mode:auto",
    group: "mode",
    label: "sandboxed, without questions",
    detail: "what runs inside needs no approval",
    isOn: ({ enabled, autoAllowBashIfSandboxed }) => enabled === true && autoAllowBashIfSandboxed,
    changes: mode(true, true)
  },
  {
    id: "mode:ask",
    group: "mode",
    label: "sandboxed, with the usual questions",
    detail: "rules and modes decide as ever",
    isOn: ({ enabled, autoAllowBashIfSandboxed }) => enabled === true && !autoAllowBashIfSandboxed,
    changes: mode(true, false)
  },
  {
    id: "mode:off",
    group: "mode",
    label: "no sandbox",
    detail: "commands run with all your rights",
    isOn: ({ enabled }) => enabled !== true,
    changes: mode(false, false)
  },
  {
    id: "override:leave",
    group: "overrides",
    label: "commands may ask to run outside",
    detail: "you are asked each time",
    isOn: ({ allowUnsandboxedCommands }) => allowUnsandboxedCommands,
    changes: ({ allowUnsandboxedCommands }) => [
      { key: "sandbox.allowUnsandboxedCommands", value: !allowUnsandboxedCommands }
    ]
  },
  {
    id: "override:strict",
    group: "overrides",
    label: "refuse unknown hosts without asking",
    detail: "",
    isOn: ({ network }) => network.strictAllowlist,
    changes: ({ network }) => [{ key: "sandbox.network.strictAllowlist", value: !network.strictAllowlist }]
  }
]

/** What choosing an item changes; nothing for one that only informs. */
export const changesOf = (settings: SandboxSettings, id: string): ReadonlyArray<SandboxChange> =>
  CHOOSABLE.find((each) => each.id === id)?.changes(settings) ?? []

export const sandboxItems = (look: SandboxLook | undefined): ReadonlyArray<PickerItem> => {
  if (look === undefined) return []
  const choices = CHOOSABLE.map(({ id, group, label, detail, isOn }): PickerItem => {
    const isChosen = isOn(look.settings)
    return { id, group, label, detail, right: isChosen ? "on" : "", marked: isChosen }
  })
  const reported = sandboxReport(look).flatMap(({ name, lines }) =>
    lines.map(([label, text]): PickerItem => ({
      id: `reported:${name}/${label}`,
      group: name,
      label,
      detail: text,
      right: ""
    }))
  )
  return [...choices, ...reported]
}
