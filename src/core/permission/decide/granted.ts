import { isInside, pathVariants } from "../../domain/path/path-components.ts"
import type { PermissionContext } from "../context.ts"
import type { Decision } from "../verdict.ts"
import { type DecisionContext, isShell } from "./decision-context.ts"
import { subjectText } from "./explain.ts"
import { isReading } from "./only-reads.ts"
import type { Subject } from "./request-subjects.ts"

type Granted = NonNullable<PermissionContext["grant"]>

/** By every name that the place has: a link is no way out and none in. */
const isGranted = (subject: Subject, { _tag, path }: Granted): boolean => {
  switch (subject.kind) {
    case "nothing":
    case "read":
      return true
    case "edit":
      return (
        subject.known &&
        pathVariants(subject.place).every((form) =>
          _tag === "EditFile" ? form === path : form !== path && isInside(path, form)
        )
      )
    case "shell":
      return isShell(subject) && isReading(subject)
    case "fetch":
    case "interaction":
    case "other":
      return false
  }
}

/** Who works on a side task writes in the place of its grant, reads as others may, and does nothing else. */
export const beyondGrant = ({ context, request, subjects }: DecisionContext): Decision | undefined => {
  const { grant } = context
  if (grant === undefined) return undefined
  const beyond = subjects.find((subject) => !isGranted(subject, grant))
  if (beyond === undefined) return undefined
  const sentence = `${subjectText(beyond, request.tool.name)} is refused: this task may only write in ${grant.path}, and read`
  return { verdict: "deny", reason: { type: "asyncAgent", sentence } }
}
