import type { Happening } from "../../../tui/model/msg.ts"
import type { UiOptions } from "../../../tui/model/ui-options.ts"
import type { KeyboardProtocol } from "../../../tui/keymap/key-warning.ts"
import type { SessionPlan } from "../../plan/session-plan.ts"
import { settingsBanners } from "../../plan/settings-banners.ts"
import { keybindingsPath, loadKeymap } from "../../system/keybindings-file.ts"
import { keymapOptions, loadUiOptions } from "./ui-options.ts"

/** Changes of settings and key bindings while the interface runs. */
export interface LiveOptions {
  readonly plan: SessionPlan
  readonly shown: UiOptions
  readonly keyboard: () => KeyboardProtocol
  readonly tell: (happening: Happening) => void
  readonly complain: (text: string) => void
}

/** Only what differs, so that a choice of this session outlives a change of something else. */
const changeOf = (before: UiOptions, after: UiOptions): Partial<UiOptions> => {
  const isOther = (name: string): boolean =>
    JSON.stringify(before[name as keyof UiOptions]) !== JSON.stringify(after[name as keyof UiOptions])
  return Object.fromEntries(Object.entries(after).filter(([name]) => isOther(name)))
}

/** The bindings of the user's file, put in force unless the file is broken. */
export const reloadKeys = ({ plan, keyboard, tell, complain }: Omit<LiveOptions, "shown">): void => {
  const { keymap, notices } = loadKeymap(plan.configHome, { keyboard: keyboard(), options: keymapOptions(plan) })
  for (const text of notices) complain(text)
  if (keymap !== undefined) tell({ _tag: "KeymapLoaded", keymap })
}

export interface Following {
  /** Puts in force what differs from the start: what a folder says counts from the moment it is trusted. */
  readonly catchUp: () => void
  readonly stop: () => void
}

export const followOptions = (live: LiveOptions): Following => {
  const { plan, tell } = live
  let before = live.shown
  let banners = settingsBanners(plan)
  if (banners.length > 0) tell({ _tag: "BannersChanged", banners })
  const unlisten = plan.settings.listen(({ isExternal }) => {
    const open = settingsBanners(plan)
    if (open.join("\n") !== banners.join("\n")) tell({ _tag: "BannersChanged", banners: open })
    banners = open
    const { options } = loadUiOptions(plan)
    const change = changeOf(before, options)
    before = options
    // What the interface saved itself is on the screen already.
    if (isExternal && Object.keys(change).length > 0) tell({ _tag: "OptionsChanged", change })
  })
  const unwatch = plan.settings.watchFile(keybindingsPath(plan.configHome), () => reloadKeys(live))
  return {
    catchUp: () => {
      const change = changeOf(live.shown, before)
      if (Object.keys(change).length > 0) tell({ _tag: "OptionsChanged", change })
    },
    stop: () => {
      unlisten()
      unwatch()
    }
  }
}
