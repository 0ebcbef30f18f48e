import { isObject, type Json, type JsonNode, locationFrom, plainOf, readJson } from "../../domain/json/positioned-json.ts"
import { describeBreak, excerptOf } from "../../domain/json/syntax-error.ts"
import type { Finding } from "./finding.ts"

/** What is wrong with a file of MCP servers. It is read as data; no server is started or asked. */

const TRANSPORTS = ["stdio", "sse", "http", "ws"]
const NAME = /^[A-Za-z0-9_.-]+$/

const isText = (value: Json | undefined): boolean => typeof value === "string" && value !== ""

const faultOf = (name: string, server: Json): string | undefined => {
  if (!NAME.test(name)) return "its name holds characters other than letters, digits, dot, hyphen and underscore"
  if (!isObject(server)) return "it is not an object"
  const { type, command, url } = server
  if (type !== undefined && !TRANSPORTS.some((each) => each === type)) {
    return `its type is none of ${TRANSPORTS.join(", ")}`
  }
  const isLocal = type === undefined ? url === undefined : type === "stdio"
  if (isLocal) return isText(command) ? undefined : "it has no command"
  return isText(url) ? undefined : "it has no url"
}

export const serverFindings = (file: string, text: string): ReadonlyArray<Finding> => {
  const finding = (id: string, at: number, message: string, fix: string): Finding => ({
    id,
    level: id === "mcp.file" ? "error" : "warning",
    area: "mcp",
    message,
    file,
    line: locationFrom(text, at).line,
    fix
  })
  if (text.replace(/^\uFEFF/, "").trim() === "") return []
  const reading = readJson(text)
  if (reading._tag === "Broken") {
    const { at, message, suggestion } = describeBreak(text, reading)
    return [{ ...finding("mcp.file", at, message, suggestion), excerpt: excerptOf(text, at) }]
  }
  const member = (node: JsonNode, name: string): JsonNode | undefined =>
    node.kind === "object" ? node.members.findLast(({ key }) => key === name)?.value : undefined
  const servers = member(reading.node, "mcpServers")
  if (servers?.kind !== "object") {
    return [
      finding("mcp.file", servers?.at ?? reading.node.at, "there is no object mcpServers", 'write {"mcpServers": {…}}')
    ]
  }
  return servers.members.flatMap(({ key, at, value }) => {
    const fault = faultOf(key, plainOf(value))
    const words = `the server ${JSON.stringify(key)} cannot be used: ${fault ?? ""}`
    return fault === undefined ? [] : [finding("mcp.server", at, words, "correct its entry, or remove it")]
  })
}
