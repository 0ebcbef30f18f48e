import { Result, Schema } from "effect"
import { type ContentBlock, text } from "../domain/block.ts"

/** What a server answers to `tools/call`, as the model sees it. */

const TextContent = Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })
const ImageContent = Schema.Struct({ type: Schema.Literal("image"), data: Schema.String, mimeType: Schema.String })
const LinkContent = Schema.Struct({
  type: Schema.Literal("resource_link"),
  uri: Schema.String,
  name: Schema.optionalKey(Schema.String)
})
const ResourceContent = Schema.Struct({
  type: Schema.Literal("resource"),
  resource: Schema.Struct({ uri: Schema.String, text: Schema.String })
})
const OtherContent = Schema.Struct({ type: Schema.String })
const Content = Schema.Union([TextContent, ImageContent, LinkContent, ResourceContent, OtherContent])
type Content = typeof Content.Type

const CallResult = Schema.Struct({
  content: Schema.Array(Content),
  structuredContent: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))),
  isError: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})
const readResult = Schema.decodeUnknownResult(CallResult)

/** Pictures that the model API takes. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"])

const isImage = Schema.is(ImageContent)
const isTextContent = Schema.is(TextContent)
const isResource = Schema.is(ResourceContent)
const isLink = Schema.is(LinkContent)

const blockOf = (content: Content): ContentBlock => {
  if (isTextContent(content)) return text(content.text)
  if (isImage(content) && IMAGE_TYPES.has(content.mimeType)) {
    return { type: "image", source: { type: "base64", media_type: content.mimeType, data: content.data } }
  }
  if (isResource(content)) return text(`${content.resource.uri}:\n${content.resource.text}`)
  if (isLink(content)) return text(`${content.uri}${content.name === undefined ? "" : ` (${content.name})`}`)
  return text(`[${content.type}: not shown]`)
}

const EMPTY = "The tool returned nothing."

export interface ServerAnswer {
  readonly content: ReadonlyArray<ContentBlock>
  readonly isError: boolean
}

/** Structured content stands in the place of the text, which says the same less exactly. */
export const readCallResult = (result: unknown): Result.Result<ServerAnswer, string> =>
  Result.match(readResult(result), {
    onFailure: () => Result.fail("the server's result is not understood"),
    onSuccess: ({ content, structuredContent, isError }) => {
      const shown = structuredContent == null ? content : content.filter(isImage)
      const structured = structuredContent == null ? [] : [text(JSON.stringify(structuredContent))]
      const blocks = [...structured, ...shown.map(blockOf)]
      return Result.succeed({ content: blocks.length === 0 ? [text(EMPTY)] : blocks, isError: isError === true })
    }
  })
