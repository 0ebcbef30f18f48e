/** Our own version, set by the bundler. */
export const VERSION: string = __NACRE_VERSION__

/** The documented behaviour of the tool we interoperate with that this release implements. */
export const COMPATIBILITY_VERSION = "2.1.325"
