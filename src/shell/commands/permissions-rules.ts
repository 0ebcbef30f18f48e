import type { InquiryPlace } from "../../core/permission/inquiry.ts"
import { configHome } from "../session/environment.ts"
import { openSettings } from "../settings/open.ts"
import type { CommandIo } from "./command-io.ts"

/** Where decisions are explained, and the rules of settings files, where they count. */
export const inquiryPlace = ({ env, cwd, home }: CommandIo, withSettings: boolean): InquiryPlace => {
  const directory = configHome(env)
  if (!withSettings) return { cwd, home }
  const { permissions } = openSettings({ env, home, configHome: directory, startDir: cwd }).current()
  return {
    cwd,
    home,
    configHome: directory,
    rules: permissions.rules,
    directories: permissions.directories.map(({ path }) => path),
    secretFiles: permissions.secretFiles
  }
}
