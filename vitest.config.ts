import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

const { version } = JSON.parse(readFileSync(new URL("./package.json", import.meta.url), "utf8")) as { version: string }

/** Tool descriptions and prompts are Markdown beside the code; the bundler inlines them and so do the tests. */
const markdownAsText = {
  name: "markdown-as-text",
  transform: (code: string, id: string) =>
    id.endsWith(".md") ? { code: `export default ${JSON.stringify(code)}`, map: null } : undefined
}

/**
 * Two lanes at the same time, a process for each core. A process evaluates a module once for all its test files: what a
 * support module leaves open is closed at the end of each file (test/support/end-of-file.ts). Processes and not
 * threads, because threads share descriptors and have more stack than the program has.
 */
const lane = (name: string, folders: string) => ({
  extends: true as const,
  test: { name, include: [`test/${folders}/**/*.test.ts`] }
})

/** Folders deeper than this change together with the one above them. */
const FOLDER_DEPTH = 3

/**
 * What decides the seeds that change with the code (test/support/seeds.ts): a line for each folder of the commit, with
 * the digest of all that is in it. Outside a repository: none.
 */
const trees = (): string => {
  try {
    const listed = execFileSync("git", ["ls-tree", "-r", "-d", "--format=%(path) %(objectname)", "HEAD", "src", "test"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"]
    })
    return listed
      .split("\n")
      .filter((line) => line.split("/").length <= FOLDER_DEPTH)
      .join("\n")
  } catch {
    return ""
  }
}
process.env["NACRE_TEST_TREES"] ??= trees()

/** A long run has tests that take hours; they are stopped by whoever started them. */
const timeout = process.env["NACRE_SOAK"] === undefined ? 60_000 : 24 * 3_600_000

export default defineConfig({
  plugins: [markdownAsText],
  define: { __NACRE_VERSION__: JSON.stringify(version) },
  test: {
    pool: "forks",
    isolate: false,
    maxWorkers: availableParallelism(),
    setupFiles: ["test/support/set-up.ts"],
    testTimeout: timeout,
    hookTimeout: 60_000,
    projects: [lane("pure", "{arch,core,golden,sim,tui}"), lane("world", "{adapters,e2e,shell,support}")]
  }
})
