import { fingerprint } from "../../domain/text/fingerprint.ts"
import type { CallFacts } from "../facts.ts"

/**
 * A decision is about one tool, one input, one directory and the places that its paths led to. The digest says which;
 * the executor makes it again right before it runs the call, and another one means that the call is decided anew.
 */
export interface DigestParts {
  readonly tool: { readonly name: string }
  readonly input: unknown
  readonly cwd?: string
  readonly facts: CallFacts
}

/** Where the paths lead. What is in the files, and whether they are there, is not part of the decision. */
const places = ({ paths, ruleLinks, globs, repository }: CallFacts): unknown => ({
  ruleLinks: ruleLinks?.map(({ path, realPath, via }) => [path, realPath, via]),
  paths: paths.map(({ path, realPath, via }) => [path, realPath, via]),
  globs: globs.map(({ glob, matches }) => [glob, matches]),
  repository
})

export const decisionDigest = ({ tool, input, cwd, facts }: DigestParts): string =>
  fingerprint({ tool: tool.name, input, cwd, facts: places(facts) })
