import { Result, Schema } from "effect"
import { isSessionId } from "../../core/session/slug.ts"
import type { RegisterText } from "../editor/vim/state/register.ts"

/**
 * What outlives the process: registers `a` to `z`, macros among them, and marks `A` to `Z` in one file for all
 * sessions, marks `a` to `z` in a file beside their session. Files are read entry by entry: what is
 * wrong is left out and reported, what is unknown stays in the file.
 */

/** A place in a transcript by ids, which outlive the process. */
export interface StoredPlace {
  readonly entry: string
  readonly block: string
  readonly offset: number
}

export interface StoredMark {
  readonly session: string
  readonly place: StoredPlace
}

export interface Shada {
  readonly registers: ReadonlyMap<string, RegisterText>
  readonly marks: ReadonlyMap<string, StoredMark>
}

/** By letter what is written anew; undefined where something goes. */
export interface ShadaChange {
  readonly registers: ReadonlyMap<string, RegisterText | undefined>
  readonly marks: ReadonlyMap<string, StoredMark | undefined>
}

/** Longer registers are kept only as long as the process lives. */
export const MOST_REGISTER_CHARS = 65_536
const VERSION = 1

const makeDecoders = () => {
  const Line = Schema.String.check(Schema.isPattern(/^[^\n]*$/))
  const Size = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
  const Register = Schema.Struct({
    type: Schema.Literals(["char", "line", "block"]),
    lines: Schema.Array(Line).check(Schema.isMinLength(1)),
    width: Schema.optionalKey(Size)
  })
  const Place = Schema.Struct({ entry: Schema.String, block: Schema.String, offset: Size })
  const Mark = Schema.Struct({ session: Schema.String.check(Schema.makeFilter(isSessionId)), place: Place })
  const Table = Schema.Record(Schema.String, Schema.Unknown)
  return {
    register: Schema.decodeUnknownResult(Register),
    place: Schema.decodeUnknownResult(Place),
    mark: Schema.decodeUnknownResult(Mark),
    table: Schema.decodeUnknownResult(Table),
    file: Schema.decodeUnknownResult(Schema.fromJsonString(Table))
  }
}

let made: ReturnType<typeof makeDecoders> | undefined

/** Made when a file is read: the start of the program does not wait for them. */
const decoders = (): ReturnType<typeof makeDecoders> => (made ??= makeDecoders())

const lengthOf = ({ lines }: RegisterText): number => lines.reduce((sum, line) => sum + line.length + 1, 0)

const isShort = (register: RegisterText): boolean => lengthOf(register) <= MOST_REGISTER_CHARS

interface Read<A> {
  readonly found: ReadonlyMap<string, A>
  readonly problems: ReadonlyArray<string>
}

interface Entries<A> {
  readonly name: string
  readonly letters: RegExp
  readonly decode: (value: unknown) => Result.Result<A, unknown>
}

/** The entries of one table that are in order. */
const readTable = <A>(file: Readonly<Record<string, unknown>>, { name, letters, decode }: Entries<A>): Read<A> => {
  if (file[name] === undefined) return { found: new Map(), problems: [] }
  const table = decoders().table(file[name])
  if (Result.isFailure(table)) return { found: new Map(), problems: [name] }
  const found = new Map<string, A>()
  const problems: Array<string> = []
  for (const [letter, value] of Object.entries(table.success)) {
    const entry = letters.test(letter) ? decode(value) : undefined
    if (entry !== undefined && Result.isSuccess(entry)) found.set(letter, entry.success)
    else problems.push(`${name}.${letter}`)
  }
  return { found, problems }
}

const readFile = (text: string): Readonly<Record<string, unknown>> | undefined => {
  const file = decoders().file(text)
  return Result.isSuccess(file) ? file.success : undefined
}

/** A file that is none at all is moved aside before it is written anew. */
export const isShada = (text: string): boolean => readFile(text) !== undefined

const decodeRegister = (value: unknown): Result.Result<RegisterText, unknown> =>
  Result.flatMap(decoders().register(value), (register) =>
    isShort(register) ? Result.succeed(register) : Result.fail("too long")
  )

/** What a file holds, and the names of the entries that are not in order; all of it when it is not a JSON object. */
export interface Decoded<A> {
  readonly value: A
  readonly problems: ReadonlyArray<string>
}

const NO_FILE = ["the whole file"]

export const decodeShada = (text: string): Decoded<Shada> => {
  const file = readFile(text)
  if (file === undefined) return { value: { registers: new Map(), marks: new Map() }, problems: NO_FILE }
  const registers = readTable(file, { name: "registers", letters: /^[a-z]$/, decode: decodeRegister })
  const marks = readTable(file, { name: "marks", letters: /^[A-Z]$/, decode: decoders().mark })
  return {
    value: { registers: registers.found, marks: marks.found },
    problems: [...registers.problems, ...marks.problems]
  }
}

export const decodeMarks = (text: string): Decoded<ReadonlyMap<string, StoredPlace>> => {
  const file = readFile(text)
  if (file === undefined) return { value: new Map(), problems: NO_FILE }
  const { found, problems } = readTable(file, {
    name: "marks",
    letters: /^[a-z]$/,
    decode: decoders().place
  })
  return { value: found, problems }
}

const tableWith = (table: unknown, change: ReadonlyMap<string, unknown>): Readonly<Record<string, unknown>> => {
  const old = decoders().table(table ?? {})
  const all = new Map(Object.entries(Result.isSuccess(old) ? old.success : {}))
  for (const [letter, value] of change) {
    if (value === undefined) all.delete(letter)
    else all.set(letter, value)
  }
  return Object.fromEntries([...all].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const written = (file: Readonly<Record<string, unknown>>): string => `${JSON.stringify(file, undefined, 1)}\n`

/** The file with some letters written anew; the others are as whoever wrote last left them. */
export const changedShada = (text: string | undefined, { registers, marks }: ShadaChange): string => {
  const old = text === undefined ? {} : (readFile(text) ?? {})
  const kept = new Map(
    [...registers].map(([letter, register]) => [letter, register && isShort(register) ? register : undefined] as const)
  )
  return written({
    version: VERSION,
    ...old,
    registers: tableWith(old["registers"], kept),
    marks: tableWith(old["marks"], marks)
  })
}

/** The marks of a session belong to the one process that has it open: they are written as a whole. */
export const marksText = (marks: ReadonlyMap<string, StoredPlace>): string =>
  written({ version: VERSION, marks: tableWith(undefined, marks) })
