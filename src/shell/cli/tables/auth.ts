import type { Command, CommandFlag } from "./commands.ts"

const LOGIN_HELP = "Store an API key, so that it need not be in the environment"
const LOGOUT_HELP = "Remove the key that login stored"

const LOGIN_FLAGS = [
  { name: "--api-key-stdin", value: { kind: "none" }, help: "Read the key from stdin" },
  { name: "--auth-token-stdin", value: { kind: "none" }, help: "Read a bearer token from stdin instead of a key" },
  { name: "--base-url", value: { kind: "text", label: "url" }, help: "The endpoint that it is for" },
  { name: "--no-verify", value: { kind: "none" }, help: "Do not ask the endpoint whether it is accepted" }
] as const satisfies ReadonlyArray<CommandFlag>

const LOGOUT_FLAGS = [
  { name: "--yes", shorts: ["-y"], value: { kind: "none" }, help: "Do not ask" }
] as const satisfies ReadonlyArray<CommandFlag>

const login = (name: "" | "login", example: string) =>
  ({ name, operands: [], flags: LOGIN_FLAGS, help: LOGIN_HELP, example }) as const

const logout = (name: "" | "logout", example: string) =>
  ({ name, operands: [], flags: LOGOUT_FLAGS, help: LOGOUT_HELP, example }) as const

export const AUTH_COMMAND = {
  name: "auth",
  help: "Which credential is used, and where it comes from",
  subs: [
    {
      name: "status",
      operands: [],
      flags: [
        { name: "--json", value: { kind: "none" }, help: "Print JSON, which is the default" },
        { name: "--text", value: { kind: "none" }, help: "Print a sentence" }
      ],
      help: "Say which credential is used; exit code 1 when there is none",
      example: "nacre auth status --text"
    },
    login("login", "nacre auth login"),
    logout("logout", "nacre auth logout")
  ]
} as const satisfies Command

export const LOGIN_COMMAND = {
  name: "login",
  help: LOGIN_HELP,
  subs: [login("", "nacre login --api-key-stdin")]
} as const satisfies Command

export const LOGOUT_COMMAND = {
  name: "logout",
  help: LOGOUT_HELP,
  subs: [logout("", "nacre logout --yes")]
} as const satisfies Command
