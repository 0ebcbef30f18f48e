import { Schema } from "effect"
import { isContentBlock, type ContentBlock } from "../../../core/domain/block.ts"

/** What a host may write on stdin, decoded once at the edge. */
const UserLine = Schema.Struct({
  type: Schema.Literal("user"),
  message: Schema.Struct({ role: Schema.optionalKey(Schema.Literal("user")), content: Schema.Unknown }),
  uuid: Schema.optionalKey(Schema.NullOr(Schema.String)),
  priority: Schema.optionalKey(Schema.NullOr(Schema.Literals(["now", "next", "later"]))),
  shouldQuery: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})

const ControlRequest = Schema.Struct({
  type: Schema.Literal("control_request"),
  request_id: Schema.String,
  request: Schema.Record(Schema.String, Schema.Unknown)
})

const ControlResponse = Schema.Struct({
  type: Schema.Literal("control_response"),
  response: Schema.Struct({
    subtype: Schema.String,
    request_id: Schema.String,
    response: Schema.optionalKey(Schema.Unknown),
    error: Schema.optionalKey(Schema.Unknown)
  })
})

const ControlCancel = Schema.Struct({ type: Schema.Literal("control_cancel_request"), request_id: Schema.String })

export type HostMessage =
  | {
      readonly _tag: "Prompt"
      readonly content: string | ReadonlyArray<ContentBlock>
      readonly uuid: string | undefined
      readonly priority: "now" | "next" | "later"
      readonly appendOnly: boolean
    }
  | { readonly _tag: "Request"; readonly id: string; readonly request: Readonly<Record<string, unknown>> }
  | {
      readonly _tag: "Answer"
      readonly id: string
      readonly ok: boolean
      readonly response: unknown
      readonly error: string
    }
  | { readonly _tag: "CancelRequest"; readonly id: string }
  /** A request that cannot be read but can be answered. */
  | { readonly _tag: "BadRequest"; readonly id: string; readonly why: string }
  | { readonly _tag: "Ignored"; readonly why: string }
  | { readonly _tag: "Malformed"; readonly why: string }

const AddressedRequest = Schema.Struct({ type: Schema.Literal("control_request"), request_id: Schema.String })

const isUser = Schema.is(UserLine)
const isAddressed = Schema.is(AddressedRequest)
const isRequest = Schema.is(ControlRequest)
const isResponse = Schema.is(ControlResponse)
const isCancel = Schema.is(ControlCancel)

const contentOf = (content: unknown): string | ReadonlyArray<ContentBlock> | undefined => {
  if (typeof content === "string") return content
  return Array.isArray(content) && content.every(isContentBlock) ? content : undefined
}

const readUser = (value: typeof UserLine.Type): HostMessage => {
  const content = contentOf(value.message.content)
  if (content === undefined) return { _tag: "Malformed", why: "a user line whose content is neither text nor blocks" }
  return {
    _tag: "Prompt",
    content,
    uuid: value.uuid ?? undefined,
    priority: value.priority ?? "next",
    appendOnly: value.shouldQuery === false
  }
}

const typeOf = (value: unknown): string =>
  typeof value === "object" && value !== null && "type" in value ? String(value.type) : typeof value

const HOST_TYPES = new Set(["user", "control_request", "control_response", "control_cancel_request"])

/** Reads one parsed line. Types we do not know are ignored, known ones with missing parts are named. */
export const readHostMessage = (value: unknown): HostMessage => {
  if (isUser(value)) return readUser(value)
  if (isRequest(value)) return { _tag: "Request", id: value.request_id, request: value.request }
  if (isResponse(value)) {
    const { request_id: id, subtype, response, error } = value.response
    return { _tag: "Answer", id, ok: subtype === "success", response, error: typeof error === "string" ? error : "" }
  }
  if (isCancel(value)) return { _tag: "CancelRequest", id: value.request_id }
  if (isAddressed(value)) return { _tag: "BadRequest", id: value.request_id, why: "the request is not an object" }
  const type = typeOf(value)
  return HOST_TYPES.has(type)
    ? { _tag: "Malformed", why: `a ${type} line without its required fields` }
    : { _tag: "Ignored", why: `line type ${type}` }
}
