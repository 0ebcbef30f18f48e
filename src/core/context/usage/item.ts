import type { CallId, Uuid } from "../../domain/id.ts"
import type { CategoryId } from "./category.ts"

/** Where a piece of a request comes from. */
export type ItemSource =
  | { readonly kind: "file"; readonly path: string; readonly uuid?: Uuid }
  | { readonly kind: "message"; readonly uuid: Uuid; readonly path?: string }
  | { readonly kind: "tool" | "server"; readonly name: string }
  | { readonly kind: "builtin" }

/** One piece of the next request. */
export interface UsageItem {
  readonly category: CategoryId
  readonly label: string
  readonly tokens: number
  readonly source: ItemSource
  /** The prompt since which it is there, counted from 1; what stands around the conversation has none. */
  readonly turn?: number
  /** The newest response was given with it in the endpoint's cache. */
  readonly cached: boolean
  readonly pinned: boolean
  /** Of a result of a tool. */
  readonly call?: CallId
  /** Of a file with instructions. */
  readonly file?: InstructionUse
}

/** What a request holds of one file with instructions. */
export interface InstructionUse {
  readonly path: string
  readonly kind: string
  /** Why it was read, in the words of the search. */
  readonly reason: string
  readonly chars: number
  readonly lines: number
}

/** The message that an item is a part of. */
export const uuidOf = ({ source }: UsageItem): Uuid | undefined => ("uuid" in source ? source.uuid : undefined)

/** The file that an item shows or is about. */
export const pathOf = ({ source }: UsageItem): string | undefined => ("path" in source ? source.path : undefined)
