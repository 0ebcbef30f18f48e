/** Set by the bundler and by the test runner from package.json. */
declare const __NACRE_VERSION__: string

declare module "*.md" {
  const text: string
  export default text
}
