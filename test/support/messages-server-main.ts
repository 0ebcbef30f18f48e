import { readFileSync } from "node:fs"
import { startMessagesServer } from "./messages-server.ts"
import { scriptFromJson } from "./messages-script.ts"

/**
 * The fake endpoint as a program: takes a script as JSON, or @file, prints its port as one line, serves until it is
 * ended. An optional second argument fixes the port.
 */
const [source, port] = process.argv.slice(2)
if (source === undefined) {
  process.stderr.write("usage: messages-server-main <script as JSON | @file> [port]\n")
  process.exit(2)
}

const script = scriptFromJson(source.startsWith("@") ? readFileSync(source.slice(1), "utf8") : source)
const server = await startMessagesServer(script, port === undefined ? 0 : Number(port))
process.stdout.write(`${server.port}\n`)
