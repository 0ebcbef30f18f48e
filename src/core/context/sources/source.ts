import type { ContentBlock, TextBlock } from "../../domain/block.ts"
import type { PermissionMode } from "../../permission/verdict.ts"
import type { Todo } from "../../tools/conversation/todo-write.ts"
import type { NewPrompt } from "./new-prompts.ts"
import type { Pace } from "./pace.ts"
import type { JsonObject } from "../../domain/json/json-object.ts"
import type { InstructionKind, LoadReason } from "../instructions/instruction-file.ts"

/**
 * What the model is told besides the conversation. A source is looked at by the shell or read off the loop's own state;
 * what it says becomes attachments of the conversation, so that what was said is a fold over the messages in the window:
 * a resumed conversation knows it, a compaction forgets it, and one function says what is missing.
 */

/** Where the session works. */
export interface EnvironmentValue {
  readonly cwd: string
  readonly isGitRepo: boolean
  readonly additionalDirs: ReadonlyArray<string>
  readonly platform: string
  readonly osVersion: string
  readonly shell: string
}

/** A file that says how to work here: written by users, or the index of the memory. */
export interface InstructionValue {
  readonly path: string
  readonly kind: InstructionKind | "memory"
  /** Whose it is, in words. */
  readonly label: string
  readonly text: string
  /** The file that imports it. */
  readonly parent?: string
}

/** One that came to matter when a file was touched. */
export interface NestedValue extends InstructionValue {
  readonly reason: LoadReason
  readonly trigger?: string
}

/** The beginning of a file whose text a summary took away, as it is now. */
export interface RestoredFile {
  readonly path: string
  readonly lines: ReadonlyArray<string>
  readonly totalLines: number
}

/** The repository as it was when the session began. */
export interface GitValue {
  readonly branch: string
  readonly defaultBranch?: string
  /** Output of a short status; empty when the tree is clean. */
  readonly status: string
  /** One line each, newest first. */
  readonly commits: ReadonlyArray<string>
  readonly userName?: string
}

/** The lines of a file that somebody asked for, in the words of the Read tool. */
export interface AskedLines {
  readonly offset: number
  readonly limit: number
}

/** What a prompt names with `@`. */
export type MentionValue =
  | {
      readonly kind: "file"
      /** Absolute. */
      readonly path: string
      /** As it was written. */
      readonly name: string
      readonly range?: AskedLines
      /** What reading it shows. */
      readonly content: string | ReadonlyArray<ContentBlock>
      /** Of a text, the record of the Read tool. */
      readonly record?: JsonObject
    }
  | { readonly kind: "directory"; readonly path: string; readonly name: string; readonly content: string }
  /** An agent that the user wants; each prompt asks anew. */
  | { readonly kind: "agent"; readonly name: string; readonly promptUuid: string }

/** A file that the model wrote or edited and that holds something else now. */
export interface ChangedFileValue {
  readonly path: string
  /** Of what the model wrote, and of what is there now. */
  readonly knownHash: string
  readonly hash: string
  /** The changed lines with their numbers; absent when they are too many, or not known. */
  readonly snippet?: string
}

/** What each source knows, by its kind. Data only: values travel in events and recordings. */
export interface SourceValues {
  readonly todos: { readonly todos: ReadonlyArray<Todo>; readonly reminder: number }
  /** Which reminder of it this is. */
  readonly plan_mode: { readonly reminder: number }
  readonly budget: { readonly usd: number }
  readonly language: { readonly language: string }
  /** Lines for commits and for pull requests; an empty text is none. */
  readonly attribution: { readonly commit: string; readonly pr: string }
  readonly mentions: MentionValue
  readonly changed_files: ChangedFileValue
  readonly environment: EnvironmentValue
  /** Which model answers. */
  readonly model: { readonly model: string }
  readonly instructions: InstructionValue
  /** Of folders below the working directory, and rules about some files. */
  readonly nested: NestedValue
  readonly restored: RestoredFile
  readonly git: GitValue
  /** As it was sent first: a resumed conversation goes on with it. */
  readonly systemPrompt: { readonly system: ReadonlyArray<TextBlock> }
  /** Local, as YYYY-MM-DD. */
  readonly date: { readonly date: string }
}

export type SourceKind = keyof SourceValues

/** What the core knows itself; all others are looked at. */
export type DerivedKind = "budget" | "model" | "plan_mode" | "systemPrompt" | "todos"
export type SeenKind = Exclude<SourceKind, DerivedKind>

/** One thing that a source knows, by a name that stays the same while its value changes. */
export interface Item<Value> {
  readonly id: string
  readonly value: Value
}

export type Items<K extends SourceKind> = ReadonlyArray<Item<SourceValues[K]>>

/** What was seen of sources. A kind that is absent was not looked at, or could not be. */
export type Look = { readonly [K in SourceKind]?: Items<K> }

/** A file that a call read or changed. */
export interface TouchedFile {
  readonly path: string
  readonly tool: string
}

/** Where the conversation stands when it is decided whether to look. */
export interface Moment {
  readonly isKnown: boolean
  /** Nobody looked yet since the conversation began, or since its older part was summarised. */
  readonly isNewWindow: boolean
  /** Prompts since which nobody looked, as one. */
  readonly prompt: NewPrompt | undefined
  /** Touched since the last look. */
  readonly touched: ReadonlyArray<TouchedFile>
  /** Files whose text a summary took away since the last look. */
  readonly lost: ReadonlyArray<string>
}

/** What the shell should look at. The fields say what about it, where that is not all of it. */
export interface Want {
  readonly kind: SeenKind
  readonly about?: JsonObject
}

export type WantRule = (moment: Moment) => Omit<Want, "kind"> | undefined

const PLAIN = {}

export const onceInSession: WantRule = ({ isKnown }) => (isKnown ? undefined : PLAIN)
export const onceInWindow: WantRule = ({ isNewWindow }) => (isNewWindow ? PLAIN : undefined)
export const withEachPrompt: WantRule = ({ isNewWindow, prompt }) =>
  isNewWindow || prompt !== undefined ? PLAIN : undefined

/** What the core knows itself. */
export interface CoreFacts {
  readonly model: string
  readonly system: ReadonlyArray<TextBlock>
  readonly mode: PermissionMode
  readonly toolNames: ReadonlyArray<string>
  readonly maxBudgetUsd: number | undefined
  readonly pace: Pace
}

/** A text is a reminder of its own, a picture or a document stands as it is. */
export type Words = string | ReadonlyArray<string | ContentBlock>

/** An attachment in the making: fields for readers of the transcript, and the words for the model. */
export interface Said {
  readonly type: string
  readonly fields?: JsonObject
  /** Undefined: it is only written down. */
  readonly words: Words | undefined
}

export interface ContextSource<K extends SourceKind> {
  /** When the shell looks; absent: the core knows it. */
  readonly wants?: WantRule
  readonly derive?: (facts: CoreFacts) => Items<K>
  /** It is said again when the words about it were summarised away. */
  readonly isStanding: boolean
  /** Each item is an attachment of its own. */
  readonly isSaidApart?: boolean
  /** The words for items of which the model knows nothing, or something older. An update says the whole of its items. */
  readonly say: (items: Items<K>, isUpdate: boolean) => Said | undefined
  /** The words for items that are there no longer; absent: nothing is said. */
  readonly takeBack?: (ids: ReadonlyArray<string>) => Said
}
