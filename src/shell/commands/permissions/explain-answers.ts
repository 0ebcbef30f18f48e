import { Context, Effect } from "effect"
import { type FactsWanted, factsWanted, placeFor } from "../../../core/permission/decide/facts-wanted.ts"
import {
  answerInquiry,
  dirsOf,
  type Inquiry,
  type InquiryAnswer,
  type InquiryDirs,
  type InquiryPlace,
  type PreparedInquiry,
  prepareInquiry
} from "../../../core/permission/decide/inquiry.ts"
import { type PathFact, type Location, locationOf, resolvePath } from "../../../core/domain/path/path-components.ts"
import { memoizeText } from "../../../core/domain/text/bounded-memo.ts"
import { Files } from "../../../core/ports/Files.ts"
import { Git } from "../../../core/ports/Git.ts"
import { type Gathered, gatherPlaces, loadedReader, type Reader, readCommands } from "../../facts/gather-facts.ts"
import { scanDirectory, type ScanDirectory } from "../../facts/scan-directory.ts"
import { factPorts } from "../../layers/ports.ts"

const MOST_REMEMBERED = 10_000

/** Lines that work on the same directory need not walk through it each. */
const rememberingLook = (): ScanDirectory => {
  const known = new Map<string, ReturnType<ScanDirectory>>()
  return (path, watched) => {
    const key = [path, ...watched].join("\0")
    const found = known.get(key) ?? Effect.runSync(Effect.cached(scanDirectory(path, watched)))
    if (known.size < MOST_REMEMBERED) known.set(key, found)
    return found
  }
}

const rememberingGit = (git: Git["Service"]): Git["Service"] => ({
  ...git,
  configuration: memoizeText((directory) => git.configuration(directory)),
  trackedFiles: memoizeText((directory) => git.trackedFiles(directory))
})

export interface Answered {
  readonly answer: InquiryAnswer
  readonly gathered: Gathered
  readonly prepared: PreparedInquiry
}

/** The directories were located just now, and need not exist; one that is searched or read is still looked at. */
const isAskedAbout = (path: string, { request }: PreparedInquiry): boolean =>
  request.needs.some((need) => "path" in need && resolvePath(placeFor(request).cwd, need.path) === path) ||
  !request.context.workingDirs.some((directory) => directory.path === path)

/** An inquiry may be about directories that are nowhere; to a real call one of them would have vanished. */
const supposed = ({ facts, analysed }: Gathered, { request }: PreparedInquiry): Gathered => {
  const isNowhere = ({ path, exists }: PathFact): boolean =>
    !exists && request.context.workingDirs.some((directory) => directory.path === path)
  if (!facts.paths.some(isNowhere)) return { facts, analysed }
  const paths = facts.paths.map((fact) => (isNowhere(fact) ? { ...fact, exists: true } : fact))
  return { facts: { ...facts, paths }, analysed }
}

const wantedFor = (prepared: PreparedInquiry): FactsWanted => {
  const wanted = factsWanted(prepared.request)
  return { ...wanted, paths: wanted.paths.filter((path) => isAskedAbout(path, prepared)) }
}

/** Where directories lead. One that cannot be followed stands for itself. */
const locator = Effect.fnUntraced(function* (all: ReadonlyArray<InquiryDirs<string>>) {
  const files = yield* Files
  const paths = [...new Set(all.flatMap(({ cwd, home, additional }) => [cwd, home, ...additional]))]
  const facts = yield* files.resolveAll(paths)
  const locations = new Map(paths.map((path, index) => [path, locationOf(path, facts[index]?.realPath)]))
  const at = (path: string): Location => locations.get(path) ?? locationOf(path)
  return ({ cwd, home, additional }: InquiryDirs<string>): InquiryDirs<Location> => ({
    cwd: at(cwd),
    home: at(home),
    additional: additional.map(at)
  })
})

interface Answering {
  readonly place: InquiryPlace
  readonly reader: Reader
  readonly git: Git["Service"]
  readonly look: ScanDirectory
}

/**
 * Each step is taken for all inquiries before the next one: the processor finds the code of a step warm, which makes
 * many lines about a third faster than line after line.
 */
const answered = Effect.fnUntraced(function* (
  inquiries: ReadonlyArray<Inquiry>,
  { place, reader, git, look }: Answering
): Effect.fn.Return<ReadonlyMap<Inquiry, Answered>, never, Files> {
  const asked = inquiries.map((inquiry) => ({ inquiry, dirs: dirsOf(inquiry, place) }))
  const locate = yield* locator(asked.map(({ dirs }) => dirs))
  const preparing = asked.map(({ inquiry, dirs }) => ({ inquiry, prepared: prepareInquiry(inquiry, locate(dirs), place) }))
  const wanting = preparing.map((each) => ({ ...each, wanted: wantedFor(each.prepared) }))
  const reading = wanting.map((each) => ({ ...each, read: readCommands(each.wanted, reader, git) }))
  const looking = yield* Effect.forEach(reading, ({ inquiry, prepared, wanted, read }) =>
    Effect.map(gatherPlaces(wanted, read, { look, git }), (gathered) => ({
      inquiry,
      prepared,
      gathered: supposed(gathered, prepared)
    }))
  )
  return new Map(
    looking.map(({ inquiry, prepared, gathered }) => [
      inquiry,
      { answer: answerInquiry(inquiry, prepared, gathered), gathered, prepared }
    ])
  )
})

/** Answers inquiries as a session in this place would decide. Looks at files; runs nothing. */
export const makeAnswering = async (
  place: InquiryPlace
): Promise<(inquiries: ReadonlyArray<Inquiry>) => Promise<ReadonlyMap<Inquiry, Answered>>> => {
  const ports = await factPorts()
  const run = Effect.runPromiseWith(ports)
  const answering: Answering = {
    place: { ...place, contexts: new Map() },
    reader: await run(loadedReader),
    git: rememberingGit(Context.get(ports, Git)),
    look: rememberingLook()
  }
  return (inquiries) => run(answered(inquiries, answering))
}
