import { homedir } from "node:os"
import type { CommandName } from "../cli/tables/commands.ts"
import type { CommandIo } from "./io/command-io.ts"
import type { CommandInvocation } from "../cli/options.ts"
import { lineBlocks } from "./io/line-blocks.ts"

export const processIo = (): CommandIo => ({
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  stdinIsTerminal: process.stdin.isTTY === true,
  lineBlocks: () => lineBlocks(process.stdin.setEncoding("utf8")),
  secondThread: async (args) => (await import("./io/line-worker.ts")).startSecondThread(args),
  secret: async (question) => (await import("./io/read-secret.ts")).readHiddenLine(question),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text)
})

/** Runs a command without starting a session; each loads its own modules only. */
export const runCommand = async (
  command: Exclude<CommandName, "context">,
  invocation: CommandInvocation
): Promise<number> => {
  const io = processIo()
  switch (command) {
    case "auth":
      return (await import("./auth.ts")).runAuth(invocation, io)
    case "login":
    case "logout":
      return (await import("./auth.ts")).runAuth({ ...invocation, sub: command }, io)
    case "completion":
      return (await import("./completion.ts")).runCompletion(invocation, io)
    case "config":
      return (await import("./config/config.ts")).runConfig(invocation, io)
    case "doctor":
      return (await import("./doctor/doctor.ts")).runDoctor(invocation, io)
    case "permissions":
      return (await import("./permissions/permissions.ts")).runPermissions(invocation, io)
    case "trust":
      return (await import("./trust.ts")).runTrust(invocation, io)
    case "replay":
      return (await import("./replay.ts")).runReplay(invocation, io)
    case "sandbox":
      return (await import("./sandbox.ts")).runSandbox(invocation, io)
  }
}
