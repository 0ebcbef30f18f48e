import { Effect, Layer } from "effect"
import { Records, RecordsFailure } from "../../core/ports/Records.ts"
import { isProjectDirName } from "../../core/session/slug.ts"
import { forkFile } from "./fork-file.ts"
import { failureOf } from "./guard.ts"
import { readSpans, scanFile } from "./jsonl.ts"
import { findSession, listFiles, listRows, newestRow, readRow, transcriptAt } from "./list.ts"
import { announceSession, holderOf, liveSessions } from "./live.ts"
import { placesOf, transcriptPath } from "./paths.ts"
import { TranscriptWriter } from "./writer.ts"

/** Sessions in the file system, below one config directory. */
export interface RecordsOptions {
  readonly home: string
  /** Replaces the project directory's name; an unusable one is ignored. */
  readonly projectDirName?: string
}

const reading = <A>(path: string, read: () => Promise<A>): Effect.Effect<A, RecordsFailure> =>
  Effect.tryPromise({ try: read, catch: (error) => failureOf(error, path) })

const acting = <A>(path: string, act: () => A): Effect.Effect<A, RecordsFailure> =>
  Effect.try({ try: act, catch: (error) => failureOf(error, path) })

export const layer = ({ home, projectDirName }: RecordsOptions): Layer.Layer<Records> => {
  const usable = projectDirName !== undefined && isProjectDirName(projectDirName) ? projectDirName : null
  const places = placesOf(home, usable)
  return Layer.succeed(Records, {
    pathFor: (cwd, sessionId) => transcriptPath(places, cwd, sessionId),
    open: (path) =>
      acting(path, () => {
        const writer = new TranscriptWriter({ home: places.home, path })
        writer.openExisting()
        return writer
      }),
    scan: (path, visit, options) => reading(path, () => scanFile(path, visit, options)),
    readSpans: (path, spans) => reading(path, () => readSpans(path, spans)),
    files: (directories) => Effect.promise(() => listFiles(places, directories)),
    row: (file) => reading(file.path, () => readRow(file)),
    list: (directories) => Effect.promise(() => listRows(places, directories)),
    newest: (directory, accepts) => Effect.promise(() => newestRow(places, directory, accepts)),
    findById: (sessionId, near) => Effect.promise(() => findSession(places, sessionId, near)),
    findByTitle: (title, directories) =>
      Effect.promise(() => listRows(places, directories)).pipe(
        Effect.map((rows) => rows.filter((row) => row.summary === title))
      ),
    fileAt: (path) =>
      reading(path, () => transcriptAt(path)).pipe(
        Effect.flatMap((file) =>
          file === null
            ? Effect.fail(new RecordsFailure({ path, code: "ENOENT", message: `${path} is not a transcript` }))
            : Effect.succeed(file)
        )
      ),
    fork: (request) => reading(request.source.path, () => forkFile(places, request)),
    announce: (session) => acting(places.sessions, () => announceSession(places, session)),
    live: Effect.sync(() => liveSessions(places)),
    holder: (sessionId) => Effect.sync(() => holderOf(places, sessionId))
  })
}
