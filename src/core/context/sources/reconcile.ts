import { fingerprint } from "../../domain/text/fingerprint.ts"
import type { AttachmentMessage } from "../../domain/message.ts"
import { reminder } from "../../model/request/fence.ts"
import type { ContextSource, CoreFacts, Items, Look, Moment, Said, SeenKind, SourceKind, Want, Words } from "./source.ts"
import type { Sent } from "./sent.ts"
import { SOURCE_KINDS, SOURCES } from "./table.ts"

/** What the model is still to be told: an attachment without its place in the conversation. */
export type Statement = Pick<AttachmentMessage, "attachment" | "rendered">

type Marks = Readonly<Record<string, string | null>>

/** A value that stands for long is asked for its fingerprint with every request. */
const known = new WeakMap<object, string>()

const markOfValue = (value: object): string => {
  const mark = known.get(value) ?? fingerprint(value)
  known.set(value, mark)
  return mark
}

const keyOf = (kind: SourceKind, id: string): string => `${kind}:${id}`

const renderedWords = (words: Words): NonNullable<AttachmentMessage["rendered"]> =>
  (typeof words === "string" ? [words] : words).map((part) => ({
    content: typeof part === "string" ? reminder(part).text : [part]
  }))

const statement = (said: Said, marks: Marks): Statement => ({
  attachment: { ...said.fields, type: said.type, marks },
  rendered: said.words === undefined ? [] : renderedWords(said.words)
})

const marksOf = <K extends SourceKind>(kind: K, items: Items<K>): Marks =>
  Object.fromEntries(items.map(({ id, value }) => [keyOf(kind, id), markOfValue(value)]))

const sayItems = <K extends SourceKind>(kind: K, items: Items<K>, isUpdate: boolean): ReadonlyArray<Statement> => {
  const source: ContextSource<K> = SOURCES[kind]
  const groups = source.isSaidApart === true ? items.map((item) => [item]) : items.length === 0 ? [] : [items]
  return groups.flatMap((group) => {
    const said = source.say(group, isUpdate)
    return said === undefined ? [] : [statement(said, marksOf(kind, group))]
  })
}

const takeBack = <K extends SourceKind>(kind: K, items: Items<K>, sent: Sent): ReadonlyArray<Statement> => {
  const { takeBack: say } = SOURCES[kind]
  if (say === undefined) return []
  const there = new Set(items.map(({ id }) => keyOf(kind, id)))
  const gone = [...sent.keys()].filter((key) => key.startsWith(`${kind}:`) && !there.has(key))
  if (gone.length === 0) return []
  const ids = gone.map((key) => key.slice(kind.length + 1))
  return [statement(say(ids), Object.fromEntries(gone.map((key) => [key, null])))]
}

const statementsOf = <K extends SourceKind>(kind: K, items: Items<K> | undefined, sent: Sent): ReadonlyArray<Statement> => {
  if (items === undefined) return []
  const markOf = (id: string): string | undefined => sent.get(keyOf(kind, id))
  const unknown = items.filter(({ id }) => markOf(id) === undefined)
  const changed = items.filter(({ id, value }) => (markOf(id) ?? markOfValue(value)) !== markOfValue(value))
  return [...takeBack(kind, items, sent), ...sayItems(kind, unknown, false), ...sayItems(kind, changed, true)]
}

/** Everything that the readings know and the window does not say, in the order of the sources. */
export const reconcile = (readings: Look, sent: Sent): ReadonlyArray<Statement> =>
  SOURCE_KINDS.flatMap((kind) => statementsOf(kind, readings[kind], sent))

/** What the core knows itself, beside what was read. */
export const withDerived = (readings: Look, kinds: ReadonlyArray<SourceKind>, facts: CoreFacts): Look =>
  kinds.reduce<Look>((known, kind) => {
    const items = SOURCES[kind].derive?.(facts)
    return items === undefined ? known : { ...known, [kind]: items }
  }, readings)

const isSeen = (kind: SourceKind): kind is SeenKind => SOURCES[kind].derive === undefined

/** What somebody has to look at now. */
export const wantsAt = (
  kinds: ReadonlyArray<SourceKind>,
  looked: ReadonlyArray<SourceKind>,
  moment: Omit<Moment, "isKnown">
): ReadonlyArray<Want> =>
  kinds.flatMap((kind) => {
    if (!isSeen(kind)) return []
    const want = SOURCES[kind].wants?.({ ...moment, isKnown: looked.includes(kind) })
    return want === undefined ? [] : [{ kind, ...want }]
  })

/** The readings that are still true when they have been said; of the others nothing is said twice. */
export const standingIn = (readings: Look): Look =>
  SOURCE_KINDS.reduce<Look>((standing, kind) => {
    const items = readings[kind]
    return items === undefined || !SOURCES[kind].isStanding ? standing : { ...standing, [kind]: items }
  }, {})
