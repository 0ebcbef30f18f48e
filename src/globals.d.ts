/** Set by the bundler and by the test runner from package.json. */
declare const __NACRE_VERSION__: string

/** Directory of the running script; the bundle is CommonJS. */
declare const __dirname: string

declare module "*.md" {
  const text: string
  export default text
}
