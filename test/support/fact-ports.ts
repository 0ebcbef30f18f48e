import { Effect, Layer } from "effect"
import { layer as filesLayer } from "../../src/adapters/files/node.ts"
import { layer as gitLayer } from "../../src/adapters/git/node.ts"
import { layer as shellParserLayer } from "../../src/adapters/shell-parser/layer.ts"

/** What a session finds out facts with: every look is a new one. */
export const sessionFactPorts = () =>
  Effect.runPromise(Effect.scoped(Layer.build(Layer.mergeAll(filesLayer, gitLayer, shellParserLayer))))
