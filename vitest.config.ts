import { readFileSync } from "node:fs"
import { defineConfig } from "vitest/config"

const { version } = JSON.parse(readFileSync(new URL("./package.json", import.meta.url), "utf8")) as { version: string }

/** Tool descriptions and prompts are Markdown beside the code; the bundler inlines them and so do the tests. */
const markdownAsText = {
  name: "markdown-as-text",
  transform: (code: string, id: string) =>
    id.endsWith(".md") ? { code: `export default ${JSON.stringify(code)}`, map: null } : undefined
}

export default defineConfig({
  plugins: [markdownAsText],
  define: { __NACRE_VERSION__: JSON.stringify(version) },
  test: {
    include: ["test/**/*.test.ts"],
    pool: "threads",
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})
