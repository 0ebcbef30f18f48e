import { SchemaAST, SchemaIssue } from "effect"

/** Turns a schema's complaint about an input into lines that tell a model what to change. */
export interface Finding {
  readonly path: ReadonlyArray<PropertyKey>
  readonly issue: SchemaIssue.Issue
  /** The object schema the path's last key belongs to, as far as known. */
  readonly owner: SchemaAST.AST | undefined
}

const RECEIVED_CHARS = 60

const walk = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey>, owner?: SchemaAST.AST): Array<Finding> => {
  switch (issue._tag) {
    case "Pointer":
      return walk(issue.issue, [...path, ...issue.path], owner)
    case "Encoding":
      return walk(issue.issue, path, owner)
    case "Composite":
      return issue.issues.flatMap((inner) => walk(inner, path, issue.ast))
    case "AnyOf":
      return issue.issues.length > 0 ? issue.issues.flatMap((inner) => walk(inner, path, owner)) : [{ path, issue, owner }]
    default:
      return [{ path, issue, owner }]
  }
}

export const findingsOf = (issue: SchemaIssue.Issue): ReadonlyArray<Finding> => walk(issue, [])

const IDENTIFIER = /^[A-Za-z_$-][\w$-]*$/

const pathText = (path: ReadonlyArray<PropertyKey>): string => {
  if (path.length === 0) return "input"
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`
    const name = String(key)
    if (!IDENTIFIER.test(name)) return `${text}[${JSON.stringify(name)}]`
    return text === "" ? name : `${text}.${name}`
  }, "")
}

const receivedText = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return value.length === 1 ? "an array of 1 item" : `an array of ${value.length} items`
  if (typeof value === "number" || typeof value === "boolean") return `the ${typeof value} ${value}`
  if (typeof value !== "string") return typeof value === "object" ? "an object" : typeof value
  const shown = value.length > RECEIVED_CHARS ? `${value.slice(0, RECEIVED_CHARS)}…` : value
  return `the string ${JSON.stringify(shown)}`
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const format = SchemaIssue.makeFormatterDefault()

const expectation = (issue: SchemaIssue.Issue): string => lowerFirst(format(issue).split("\n", 1).join(""))

const keysOf = (ast: SchemaAST.AST | undefined): ReadonlyArray<SchemaAST.PropertySignature> =>
  ast !== undefined && SchemaAST.isObjects(ast) ? ast.propertySignatures : []

const missingText = ({ owner, path }: Finding): string => {
  const property = keysOf(owner).find((signature) => signature.name === path.at(-1))
  return property === undefined ? "missing" : `missing; ${expectation(new SchemaIssue.InvalidType(property.type))}`
}

const unknownText = (ast: SchemaAST.AST, hidden: ReadonlyArray<string>): string => {
  const accepted = keysOf(ast).map((signature) => String(signature.name))
  const shown = accepted.filter((key) => !hidden.includes(key))
  return shown.length === 0 ? "unknown key; no keys are accepted" : `unknown key; accepted keys: ${shown.join(", ")}`
}

/** One problem as `path: what is wrong`. `hidden` keys are never named. */
export const describeFinding = (
  finding: Finding,
  facts: { readonly received: unknown; readonly hidden: ReadonlyArray<string> }
): string => {
  const where = pathText(finding.path)
  switch (finding.issue._tag) {
    case "MissingKey":
      return `${where}: ${missingText(finding)}`
    case "UnexpectedKey":
      return `${where}: ${unknownText(finding.issue.ast, facts.hidden)}`
    default:
      return `${where}: ${expectation(finding.issue)}, received ${receivedText(facts.received)}`
  }
}
