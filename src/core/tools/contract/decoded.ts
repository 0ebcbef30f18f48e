import type { Tool } from "./tool.ts"

/**
 * An input that its own tool has decoded, the only kind that a call carries: it is decoded where it enters and nowhere
 * else. As text it is the plain value, so that commands and digests read as if it were not wrapped.
 */
export class Decoded<out Input> {
  private constructor(
    private readonly owner: object,
    readonly value: Input
  ) {}

  static by<Input>(tool: Tool<Input>, value: Input): Decoded<Input> {
    return new Decoded(tool.input, value)
  }

  isOf<Input>(tool: Tool<Input>): this is Decoded<Input> {
    return this.owner === tool.input
  }

  toJSON(): Input {
    return this.value
  }
}
