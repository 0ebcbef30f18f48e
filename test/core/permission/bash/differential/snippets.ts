import { makeRandom, type Random } from "../../../../sim/random.ts"

/**
 * Commands as people and models write them, damaged and mixed from a seed. They name no file outside the current
 * directory and have no loop that waits for a program, because bash really runs them (without programs).
 */
const SNIPPETS = [
  "npm ci && npm run build -- --mode=production 2>&1 | tail -n 20",
  "npm test -- --grep 'a b' --reporter=dot || echo \"tests failed\" >&2",
  'NODE_ENV=test npx vitest run src/a.test.ts -t "does x (twice)"',
  'git add -A && git commit -m "fix: don\'t lose $HOME" && git push origin HEAD',
  "git commit -m \"$(cat <<'EOF'\nfix(parser): keep `a` and $b\n\nCo-authored-by: A <a@b>\nEOF\n)\"",
  "git log --oneline --format='%h %s (%an)' -n 5 -- src | head -3",
  "git diff --stat main...HEAD -- ':!package-lock.json' '*.ts'",
  "git stash list | grep -c 'WIP on' > count.txt",
  "git rev-parse --abbrev-ref HEAD 2>null || echo detached",
  "git for-each-ref --sort=-committerdate --format='%(refname:short) %(committerdate:relative)' refs/heads | head",
  "git status --porcelain=v1 -z | tr '\\0' '\\n' | cut -c4- | sort -u",
  "find . -type f \\( -name '*.ts' -o -name \"*.js\" \\) -not -path './node_modules/*' | xargs grep -n \"TODO\" | wc -l",
  "find src -name '*.snap' -exec rm -f {} + ; find src -empty -type d -delete",
  "grep -rn --include='*.ts' -E \"import .* from ['\\\"]\\./\" src | awk -F: '{print $1}' | sort | uniq -c | sort -rn",
  "grep -q '^## Next$' CHANGELOG.md && sed -n '/^## Next$/,/^## /p' CHANGELOG.md | head -n -1",
  "sed -i.bak -e 's/foo\\.bar/baz/g' -e '/^#/d' config.ini && rm config.ini.bak",
  "awk 'NR>1 {sum += $3} END {printf \"%.2f\\n\", sum/NR}' data.csv",
  "jq -r '.dependencies | to_entries[] | \"\\(.key)@\\(.value)\"' package.json | sort",
  "cat package.json | jq '.scripts.test' && echo done",
  "curl -fsSL https:example.com | tar xz --strip-components=1 -C dist",
  'curl -s -X POST -H \'Content-Type: application/json\' -d \'{"a": [1, 2], "b": "it\'"\'"\'s"}\' localhost:3000',
  "docker run --rm -it -v \"$PWD\":app -w app node:20 bash -c 'npm ci && npm test'",
  "docker compose up -d --build && docker compose logs -f --tail=100 web",
  "docker ps -a --format '{{.ID}} {{.Names}}' | awk '$2 ~ /^tmp-/ {print $1}' | xargs -r docker rm",
  "kubectl get pods -o jsonpath='{.items[*].metadata.name}' | tr ' ' '\\n'",
  "make -j4 CFLAGS='-O2 -g' test 2>err.log; echo \"exit: $?\"",
  "python3 - <<'PY'\nimport json\nprint(json.dumps({'a': \"$HOME\"}))\nPY",
  "python -m venv .venv && . .venv/bin/activate && pip install -r requirements.txt",
  "cargo clippy --all-targets -- -D warnings && cargo fmt --check",
  "go test ./... -run '^TestA$|^TestB$' -count=1",
  'for f in *.txt; do mv "$f" "${f%.txt}.md"; done',
  "if [ -f in.txt ] && ! grep -q x in.txt; then echo missing; else echo found; fi",
  "if ! command -v jq >null 2>&1; then echo 'jq is needed' >&2; exit 1; fi",
  'case "$1" in start) echo go ;; *) echo "usage: $0 {start|stop}" ;; esac',
  'set -euo pipefail; tmp=$(mktemp -d) && rm -rf "$tmp"',
  'export PATH="$PWD/bin:$PATH"; which tool',
  'VERSION=$(node -p "require(\'./package.json\').version") && echo "v$VERSION"',
  "test -d dist || mkdir -p dist && cp -r src dist",
  "[ \"$(ls -A docs)\" ] && echo 'not empty' || echo empty",
  'echo "Building $(git describe --tags --always)..." | tee build.log',
  "echo 'a' > a.txt && echo \"b\" >> a.txt; cat a.txt b.txt 2>&1 | sort > c.txt",
  "printf '%s\\n' \"one\" 'two three' four\\ five | sort -u",
  "tail -n +2 in.txt | cut -d, -f1,3 | sort -t, -k2,2n | head -5 > top.csv",
  "diff <(sort a.txt) <(sort b.txt) || true",
  "ls -la | awk '{print $9}' | grep -v '^\\.' | head",
  "(cd sub && ls -1) | wc -l; { date; uptime; } > info.txt",
  "time (sleep 1; echo done) && echo ok &",
  "nohup node server.js > server.log 2>&1 & echo $! > server.pid",
  'cat > config.json <<EOF\n{\n  "home": "$HOME",\n  "user": "`whoami`"\n}\nEOF',
  "cat <<-'END' | sed 's/^/  /'\n\tfirst 'line'\n\tsecond \"line\"\n\tEND",
  "ssh host 'cd app && git pull --ff-only && systemctl --user restart app' < in.txt",
  "tar czf backup.tgz --exclude='*.log' --exclude=node_modules . && sha256sum backup.tgz > backup.sha",
  "rg -n --glob '!dist' \"fn\\s+\\w+\\(\" src | head -20",
  "ps aux | grep '[n]ode' | awk '{print $2}' | xargs kill -9",
  "date '+%Y-%m-%d %H:%M' && TZ=UTC date -u +%FT%TZ",
  "echo \"it's a \\\"test\\\" of \\$quoting and \\`ticks\\`\" 'and '\\''more'\\'''",
  "ls # list files; rm -rf nothing\necho next # it's done",
  "a=1 b='2 3' env | grep -E '^(a|b)='",
  "true && { echo a; echo b; } || ( echo c; false ) | cat",
  '! grep -q needle in.txt && echo "none" ; echo $((1 + 2)) ${HOME:-none}',
  'pnpm --filter "@scope*" run lint --fix; yarn workspace app add -D typescript@^5',
  "gh pr create --title \"feat: x\" --body $'line one\\nline two' --label bug,help",
  'terraform plan -out=plan.bin -var \'tags={"a"="b"}\' && terraform show -json plan.bin',
  'find . -name "*.py" -print0 | xargs -0 -n 10 python3 -m py_compile'
] as const

const DAMAGE = [
  "'",
  '"',
  "\\",
  "`",
  "$",
  "#",
  ";",
  "&",
  "|",
  "(",
  ")",
  "{",
  "}",
  "<",
  ">",
  "\n",
  " ",
  "!",
  "~",
  "*",
  "=",
  ",",
  "<<",
  "$(",
  "\\\n",
  "\t",
  "[",
  "]",
  "2>",
  "&>",
  "${",
  "((",
  " # ",
  "''",
  '""',
  "$'",
  "<<<",
  "||",
  "&&",
  ";;",
  "\\'",
  "esac",
  " in ",
  " do ",
  "fi"
]

const cutAt = (random: Random, text: string): readonly [string, string] => {
  const at = random.int(text.length + 1)
  return [text.slice(0, at), text.slice(at)]
}

const JOINTS = [" && ", " | ", "; ", "\n", " || ", " ", "", " & ", "$(", " <<'EOF'\n", '"', " # "]

const damaged = (random: Random, text: string): string => {
  const [before, after] = cutAt(random, text)
  switch (random.int(6)) {
    case 0:
      return before + random.pick(DAMAGE) + after
    case 1:
      return before + after.slice(1)
    case 2:
      return before + random.pick(JOINTS) + cutAt(random, random.pick(SNIPPETS))[1]
    case 3:
      return before + cutAt(random, after)[1]
    case 4:
      return text + random.pick(JOINTS) + random.pick(SNIPPETS)
    default:
      return before + random.pick(DAMAGE) + random.pick(DAMAGE) + after
  }
}

/** What could lead out of the directory. */
const OUTSIDE = /(?:^|[^\w.*}\])])\/|\.\.\/|~/

export const snippetFrom = (seed: number): string => {
  const random = makeRandom(seed)
  let text: string = random.pick(SNIPPETS)
  for (let left = random.int(5); left > 0; left--) text = damaged(random, text)
  return OUTSIDE.test(text) ? "p" : text
}
