import fs from "node:fs"
import path from "node:path"
import { RecordsFailure, type ForkRequest } from "../../core/ports/Records.ts"
import type { SessionFile } from "../../core/session/row.ts"
import { CREATE_FLAGS, PRIVATE_FILE, requirePrivateDirectory, requireSamePlace } from "./guard.ts"
import { scanFile } from "./jsonl.ts"
import { transcriptPath, type Places } from "./paths.ts"

/** Copies a session under a new id. The copy appears under its name only when it is whole. */
const WRITE_CHARS = 1024 * 1024

/** Collects lines and writes them in large pieces. */
class LineSink {
  private pending: Array<string> = []
  private chars = 0
  private readonly fd: number

  constructor(fd: number) {
    this.fd = fd
  }

  add(line: string | null): void {
    if (line === null) return
    this.pending.push(line, "\n")
    this.chars += line.length
    if (this.chars >= WRITE_CHARS) this.flush()
  }

  flush(): void {
    const bytes = Buffer.from(this.pending.join(""))
    for (let done = 0; done < bytes.length;) done += fs.writeSync(this.fd, bytes, done)
    this.pending = []
    this.chars = 0
  }
}

const copyLines = async (request: ForkRequest, fd: number): Promise<void> => {
  const sink = new LineSink(fd)
  await scanFile(request.source.path, (value, _span, text) => sink.add(request.rewrite(text, value)), {
    onInvalid: (text) => sink.add(request.rewrite(text, undefined))
  })
  for (const line of request.tail()) sink.add(line)
  sink.flush()
  fs.fdatasyncSync(fd)
}

/** Spilled results and file copies never change, so one inode can serve both sessions. */
const shareFile = (from: string, to: string): void => {
  try {
    fs.linkSync(from, to)
  } catch {
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL)
  }
}

const shareDirectory = (home: string, from: string, to: string): void => {
  if (!fs.existsSync(from)) return
  requirePrivateDirectory(home, to)
  for (const item of fs.readdirSync(from, { withFileTypes: true })) {
    if (item.isFile()) shareFile(path.join(from, item.name), path.join(to, item.name))
  }
}

const refuseExisting = (target: string): void => {
  if (!fs.existsSync(target)) return
  throw new RecordsFailure({ path: target, code: "EXISTS", message: `${target} exists and is not overwritten` })
}

export const forkFile = async (places: Places, request: ForkRequest): Promise<SessionFile> => {
  const target = transcriptPath(places, request.cwd, request.sessionId)
  const draft = `${target}.part`
  refuseExisting(target)
  requirePrivateDirectory(places.home, path.dirname(target))
  const fd = fs.openSync(draft, CREATE_FLAGS, PRIVATE_FILE)
  try {
    requireSamePlace(places.home, draft)
    await copyLines(request, fd)
    refuseExisting(target)
    fs.renameSync(draft, target)
  } finally {
    fs.closeSync(fd)
    fs.rmSync(draft, { force: true })
  }
  const { sessionId, path: source } = request.source
  const results = path.join(path.dirname(source), sessionId, "tool-results")
  shareDirectory(places.home, results, path.join(path.dirname(target), request.sessionId, "tool-results"))
  const copies = path.join(places.fileHistory, sessionId)
  shareDirectory(places.home, copies, path.join(places.fileHistory, request.sessionId))
  const { size, mtimeMs } = fs.statSync(target)
  return { path: target, sessionId: request.sessionId, size, modifiedMs: mtimeMs }
}
