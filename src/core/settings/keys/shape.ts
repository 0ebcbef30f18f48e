import { Schema } from "effect"

/**
 * What a setting may hold. The schema is built when a value is there to be checked, so that a start pays only for the
 * keys that are used. Lists and records name the shape of one entry: a bad entry is dropped alone.
 */
export interface Shape<A> {
  readonly schema: () => Schema.Codec<A>
  /** Completes "expected ...". */
  readonly expected: string
  readonly items?: Shape<unknown>
  readonly members?: Shape<unknown>
  /** The values that can be named, for help and completion. */
  readonly choices?: ReadonlyArray<string>
}

export type ShapeType<S> = S extends Shape<infer A> ? A : never

export const flag: Shape<boolean> = { schema: () => Schema.Boolean, expected: "true or false" }

export const text: Shape<string> = { schema: () => Schema.String, expected: "a string" }

export const word: Shape<string> = { schema: () => Schema.NonEmptyString, expected: "a non-empty string" }

export const anything: Shape<unknown> = { schema: () => Schema.Unknown, expected: "a value" }

export const oneOf = <const A extends string>(...choices: ReadonlyArray<A>): Shape<A> => ({
  schema: () => Schema.Literals(choices),
  expected: choices.length === 1 ? `"${choices[0] ?? ""}"` : `one of ${choices.join(", ")}`,
  choices
})

export const wholeNumber = (minimum: number, maximum: number): Shape<number> => ({
  schema: () => Schema.Int.check(Schema.isBetween({ minimum, maximum })),
  expected: `a whole number from ${minimum} to ${maximum}`
})

export const fraction: Shape<number> = {
  schema: () => Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
  expected: "a number from 0 to 1"
}

export const listOf = <A>(items: Shape<A>): Shape<ReadonlyArray<A>> => ({
  schema: () => Schema.Array(items.schema()),
  expected: "a list",
  items
})

export const recordOf = <A>(members: Shape<A>): Shape<Readonly<Record<string, A>>> => ({
  schema: () => Schema.Record(Schema.String, members.schema()),
  expected: "an object",
  members
})

export const either = <A, B>(left: Shape<A>, right: Shape<B>): Shape<A | B> => ({
  schema: () => Schema.Union([left.schema(), right.schema()]),
  expected: `${left.expected} or ${right.expected}`
})

/** Objects whose inside belongs to another part of the program; only the outer form is checked here. */
export const object: Shape<Readonly<Record<string, unknown>>> = recordOf(anything)
