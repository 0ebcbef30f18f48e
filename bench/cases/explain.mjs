import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { run } from "../lib/child.mjs"
import { interleave } from "../lib/measure.mjs"
import { rowsOfParsers, shellParsers, withEachParser } from "../lib/shell-parsers.mjs"

const LINES = 2_000
const STARTS = 10

/** Everyday commands; no two lines are the same. */
const COMMANDS = [
  (n) => `git status && rm -rf build-${n}`,
  (n) => `ls -la packages/p${n}`,
  (n) => `cat src/file-${n}.ts | head -20`,
  (n) => `npm test -- case-${n}`,
  (n) => `echo "run ${n}" > out-${n}.txt`,
  (n) => `find . -name "part-${n}*" -type f`,
  (n) => `grep -rn "symbol${n}" src`,
  (n) => `cd pkg-${n} && git log --oneline -5`,
  (n) => `timeout 5 bash -c 'make target${n}'`,
  (n) => `git diff HEAD~${n} -- src/a${n}.ts`
]

const RULES = { allow: ["Bash(git *)", "Bash(npm test *)"], deny: ["Bash(rm *)"] }

const lineOf = (n) => JSON.stringify({ id: n, command: COMMANDS[n % COMMANDS.length](n), rules: RULES })

/** Many questions in one process against ten processes with one each. */
export const explain = async (bench) => {
  const place = bench.place()
  const file = join(bench.directory, "inquiries.jsonl")
  writeFileSync(file, Array.from({ length: LINES }, (_, n) => `${lineOf(n)}\n`).join(""))
  const batch = [bench.cli, "permissions", "explain", "--jsonl"]
  const starts = async () => {
    let wallMs = 0
    for (let count = 0; count < STARTS; count += 1) {
      wallMs += (await run([bench.cli, "permissions", "explain", "ls"], place)).wallMs
    }
    return { wallMs }
  }
  const parsers = shellParsers(bench)
  const samples = await interleave(
    { rounds: 5 },
    { ...withEachParser(parsers, place, (each) => run(batch, each, file)), floor: starts }
  )
  return rowsOfParsers(parsers, samples, {
    name: "explain",
    what: `${LINES} different lines explained against ${STARTS} processes that explain one each`,
    unit: "ms",
    field: "wallMs",
    target: { of: "ratio", most: 1 }
  })
}
