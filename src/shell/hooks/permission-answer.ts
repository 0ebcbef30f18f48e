import { Schema } from "effect"
import type { PermissionAnswer } from "../../core/loop/machine/event.ts"
import { decodePermissionUpdates } from "../../core/permission/configuration/update.ts"

const Allow = Schema.Struct({
  behavior: Schema.Literal("allow"),
  updatedInput: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))),
  updatedPermissions: Schema.optionalKey(Schema.NullOr(Schema.Unknown))
})

const Deny = Schema.Struct({
  behavior: Schema.Literal("deny"),
  message: Schema.optionalKey(Schema.String),
  interrupt: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})

const isAllow = Schema.is(Allow)
const isDeny = Schema.is(Deny)

/** What a program says to a permission question. Anything that is neither a clear allow nor a clear deny is a deny. */
export const readPermissionAnswer = (value: unknown, who = "The host"): PermissionAnswer => {
  if (isAllow(value)) {
    return {
      behavior: "allow",
      ...(value.updatedInput == null ? {} : { updatedInput: value.updatedInput }),
      updates: decodePermissionUpdates(value.updatedPermissions ?? [])
    }
  }
  if (isDeny(value)) {
    return {
      behavior: "deny",
      message: value.message ?? `${who} refused this call.`,
      ...(value.interrupt === true ? { interrupt: true } : {})
    }
  }
  return { behavior: "deny", message: `${who} answered the permission question in a way that could not be understood.` }
}
