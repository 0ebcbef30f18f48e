import { describe, expect, it } from "vitest"
import { whyNotReading } from "../analysing.ts"

/** For each program of the table: calls that only read, and calls that must not count as such. */
const PROGRAMS: ReadonlyArray<readonly [program: string, reading: ReadonlyArray<string>, not: ReadonlyArray<string>]> = [
  [
    "ls",
    ["ls", "ls -la src", "ls *.ts", "ls --color=auto -R", "/bin/ls -1", "ls --time-style=iso", "ls -ltr --full-time"],
    ["ls --unknown", "ls --colo", "ls -Y", "./ls", "/tmp/ls", "ls -a$X", "'ls'", "l\\s"]
  ],
  ["cat", ["cat a b", "cat -n a", "cat *.md", "cat -A x", "tac a", "rev a", "nl -b a x"], ["cat --help-me", "tac *.md"]],
  [
    "head",
    ["head -5 a", "head -n 5 a", "head -n5 a", "head -c 10 a", "tail -20 a", "tail -n +5 a", "head -q a b"],
    ["tail -f a", "tail -F a", "tail --follow a", "tail -5f a", "tail --retry a", "tail --pid=1 a", "head -n x a"]
  ],
  ["wc", ["wc -l a", "wc -lwc *.ts", "wc --lines a"], ["wc --files0-from=a", "wc --files0=a"]],
  [
    "stat",
    ["stat a", "stat -c %s a", "stat -L a", "du -sh .", "du -d 1 src", "du --max-depth=2", "df -h", "df -T ."],
    ["du --files0-from=x", "du -X x", "stat --unknown a"]
  ],
  ["file", ["file a", "file -b --mime-type a"], ["file -m x a", "file -f x", "file -C", "file -z a", "file *.ts"]],
  [
    "grep",
    [
      "grep -rn foo src",
      "grep -E 'a|b' x",
      "grep -A3 x y",
      "grep -A 3 x y",
      "egrep x y",
      "fgrep -c x y",
      "grep --include='*.ts' -r x .",
      "grep --include=*.ts x y",
      "grep -e a -e b x",
      "grep x *.ts",
      "grep -i x y | wc -l"
    ],
    [
      "grep -R x .",
      "grep -f pats y",
      "grep -D read x y",
      "grep -d recurse x",
      "grep --fil=x y",
      "grep -rnf x y",
      "grep --file=x y"
    ]
  ],
  [
    "rg",
    [
      "rg foo",
      "rg -n foo src",
      "rg --files -g '*.ts'",
      "rg -tts foo",
      "rg -t ts foo",
      "rg --json x",
      "rg -uu x",
      "rg -A 3 -B2 x"
    ],
    [
      "rg --pre ./x foo",
      "rg --pre=./x foo",
      "rg --hostname-bin x foo",
      "rg -z foo",
      "rg --search-zip x",
      "rg -L x",
      "rg --follow x",
      "rg -f x",
      "rg foo *.ts",
      "rg --pre-glob x y"
    ]
  ],
  [
    "find",
    [
      "find . -name '*.ts'",
      "find src -type f -size +10k",
      "find . \\( -name a -o -name b \\) -print",
      "find . ! -name x",
      "find . -maxdepth 2 -not -path '*/node_modules/*'",
      "find",
      "find . -newermt 2024-01-01",
      "find . -printf '%p\\n'"
    ],
    [
      "find . -delete",
      "find . -exec rm {} +",
      "find . -execdir x \\;",
      "find . -ok x \\;",
      "find . -okdir x \\;",
      "find . -fprint x",
      "find . -fprint0 x",
      "find . -fprintf x y",
      "find . -fls x",
      "find -L . -name x",
      "find . -name *.ts",
      "find -files0-from x",
      "find . -unknown",
      "find . -follow",
      "find *"
    ]
  ],
  ["fd", ["fd x", "fd -e ts", "fd -H -t f x src"], ["fd -x rm", "fd -X rm", "fd -l x", "fd -L x", "fd --exec rm", "fd x *"]],
  [
    "sort",
    ["sort a", "sort -n -k 2 a", "sort -t, -k1,1 a", "sort -rn a | uniq -c"],
    [
      "sort -o b a",
      "sort --output=b a",
      "sort --outp=b a",
      "sort -T /tmp a",
      "sort --compress-program=x a",
      "sort --files0-from=x",
      "sort -ro b a",
      "sort -m a b",
      "sort *.txt"
    ]
  ],
  ["uniq", ["uniq -c a", "uniq", "xxd -l 16 a", "xxd -p a"], ["uniq a b", "xxd -r a", "xxd a b", "xxd -rp a"]],
  [
    "text",
    [
      "cut -d: -f1 a",
      "cut -d ' ' -f 1 a",
      "tr a b",
      "tr -d '\\n'",
      "paste a b",
      "column -t a",
      "fold -w 80 a",
      "fmt a",
      "expand a",
      "unexpand -a a",
      "comm -12 a b",
      "cmp a b",
      "join a b",
      "tsort a",
      "pr a",
      "cut -f1 *.tsv"
    ],
    ["cut --weird a", "tr --output=x a b", "column --files x"]
  ],
  [
    "diff",
    ["diff a b", "diff -u a b", "diff -U 3 a b", "diff -rq a b", "diff -y -W 80 a b", "diff --color=always a b"],
    ["diff -l a b", "diff --paginate a b", "diff --to-file=x a", "diff --pagin a b"]
  ],
  [
    "sums",
    [
      "md5sum a",
      "sha256sum *.ts",
      "cksum a",
      "b2sum a",
      "base64 -d a",
      "base64 -w 0 a",
      "strings -n 5 a",
      "od -A d -N 4 a",
      "hexdump -C a"
    ],
    ["sha256sum -c a", "md5sum --check a", "sha1sum --chec a"]
  ],
  [
    "tree",
    ["tree", "tree -L 2 -a", "tree -L2", "tree -I node_modules --dirsfirst"],
    [
      "tree -o x",
      "tree -R",
      "tree -H .",
      "tree -X",
      "tree --fromfile x",
      "tree -Io pat out",
      "tree -Po pat out",
      "tree -PIo a b out",
      "tree -L2o out"
    ]
  ],
  [
    "sed",
    [
      "sed -n 1,5p a",
      "sed -n '5,10p' a",
      "sed -n '/x/p' a",
      "sed -n '$p' a",
      "sed -n '$=' a",
      "sed -nE '/a|b/,/c/p' a",
      "sed -n '1p;5p' a",
      "sed -n -e 1p a",
      "sed -n '/a/!p' a",
      "sed -n '10q' a",
      "sed -n '/[ab]/p' a"
    ],
    [
      "sed 1p a",
      "sed s/a/b/ a",
      "sed -n 's/a/b/p' a",
      "sed -n 's/a/b/e' a",
      "sed -n 's/a/b/w x' a",
      "sed -i s/a/b/ a",
      "sed -n -i 1p a",
      "sed -n 'w x' a",
      "sed -n '1e id' a",
      "sed -n e a",
      "sed -n 'r x' a",
      "sed -n '{p}' a",
      "sed -n ':a' a",
      "sed -n '1p\n1w x' a",
      "sed -n -f s a",
      "sed -n --file=s a",
      "sed -n -e 1p -e 2p a",
      "sed -n --expression=1p --expr=2p a",
      "sed -n '/[/]w x/p' a",
      "sed -n 'W x' a",
      "sed -n 1~2p a"
    ]
  ],
  [
    "jq",
    [
      "jq . a",
      "jq -r '.a.b' a",
      "jq -n --arg x 1 '$x'",
      "jq .env a",
      "jq -e .env a",
      "jq .ENV a",
      "jq '.[] | select(.a==1)' a",
      "jq -c . a"
    ],
    [
      "jq env a",
      "jq '$ENV.A' a",
      "jq -n '$ENV'",
      "jq -n '$ ENV'",
      "jq -n '$ # c\nENV.A'",
      "jq -f x a",
      "jq --from-file x a",
      "jq -L . a",
      "jq --rawfile a b .",
      "jq --slurpfile a b .",
      "jq --run-tests",
      "jq 'import \"a\" as b; .' a",
      "jq 'include \"a\"; .' a",
      "jq input_filename a",
      "jq '..env' a",
      "jq -rf x a"
    ]
  ],
  [
    "date",
    ["date", "date +%F", "date -u", "date -d yesterday +%s", "date -Iseconds", "date --iso-8601=seconds"],
    ["date -s now", "date --set=now", "date 010101", "date -f x", "date -r x", "date --se=now"]
  ],
  [
    "ps",
    ["ps aux", "ps -ef", "ps -p 1 -o pid,args", "ps -C node", "ps --sort -pid -e"],
    ["ps auxe", "ps e", "ps -E", "ps axE", "ps -o environ"]
  ],
  [
    "plain",
    [
      "pwd",
      "whoami",
      "id -u",
      "groups",
      "uname -a",
      "arch",
      "nproc",
      "uptime",
      "free -m",
      "hostname",
      "hostname -s",
      "tty",
      "locale",
      "cal",
      "getconf PAGE_SIZE",
      "basename a/b .x",
      "dirname a/b",
      "realpath a",
      "readlink -f a",
      "seq 1 5",
      "expr 1 + 1",
      "true",
      "false",
      "sleep 1",
      "which node",
      "whereis ls",
      "type ls",
      "test -f a",
      "[ -d a ]",
      "[ a = b ]",
      "command -v node",
      "test -n x -a -f y"
    ],
    [
      "hostname x",
      "hostname -F x",
      "hostname -b x",
      "test -v x",
      "[ -R x ]",
      "[ -v 'a[$(id)]' ]",
      "pwd x",
      "arch ls",
      "locale -m"
    ]
  ],
  [
    "echo",
    [
      "echo a",
      "echo -n a",
      "echo -e 'a\\n'",
      "printf '%s\\n' a",
      "printf x",
      ": x",
      "echo '--- a ---'",
      'echo "$(git log)"',
      "echo $(cat a)",
      "printf '%s' \"$(wc -l < a)\"",
      'echo "$HOME/x"',
      "echo ~"
    ],
    [
      "echo *",
      "true *",
      'echo "$X"',
      "echo $X",
      "printf -v x y",
      'printf "$X"',
      "printf '%n' PATH",
      "echo ${X:-a}",
      "echo $((1+1))",
      'echo "$(curl x)"',
      'printf "$(cat f)"',
      "echo `touch x`",
      "echo {a,b}",
      "echo $'a'",
      'cat "$(ls)"',
      'echo "$(for i in a; do ls; done)"',
      'echo "$(X=1)"',
      "echo --version"
    ]
  ],
  [
    "versions",
    ["node -v", "python --version", "python3 -V", "git --version", "go version", "gcc --version"],
    [
      "npm -v",
      "npm --version",
      "yarn --version",
      "cargo --version",
      "rustc --version",
      "java -version",
      "node -v x",
      "python3 -c x",
      "node -e x"
    ]
  ],
  [
    "cd",
    ["cd src && ls", "cd /work/src; pwd", "cd -- src && cat a"],
    ["cd $X && ls", "cd - && ls", "pushd src", "cd a b", "cd ~root && ls"]
  ],
  [
    "structure",
    [
      "ls && pwd",
      "ls; pwd",
      "ls | head",
      "! ls",
      "{ ls; pwd; }",
      "( ls )",
      "if test -f a; then cat a; else ls; fi",
      "ls 2>&1",
      "ls > /dev/null",
      "ls 2>/dev/null | wc -l",
      "cat <<'E'\n$(x)\nE",
      "cat <<< hello",
      "cat < /dev/null",
      "ls # comment",
      "",
      "# only",
      "ls >&2",
      "LC_ALL=C sort a",
      "timeout 5 ls",
      "time ls",
      "nice -n 5 ls",
      "cat a | xargs echo"
    ],
    [
      "ls &",
      "for i in a; do ls; done",
      "while true; do ls; done",
      "f() { ls; }",
      "[[ a ]]",
      "X=1",
      "X=1 ls",
      "PATH=/x ls",
      "ls > $X",
      "cat < $X",
      "ls > *.txt",
      "cat <<E\n$(x)\nE",
      "cat <<< $X",
      "cat < /dev/tcp/a/1",
      "ls > ~root/x",
      "eval ls",
      "export A=1",
      "env ls",
      "sudo ls",
      "nohup ls",
      "cat a | xargs cat",
      "timeout --foreground 5 ls",
      "nice -5 ls",
      "ls\r",
      "ls\u00a0-l",
      "IFS=x ls",
      "cat /proc/self/environ",
      "ls 'unclosed",
      "command ls $X",
      "xargs -n1 echo"
    ]
  ],
  [
    "never",
    [],
    [
      "ping x",
      "dig x",
      "nslookup x",
      "host x",
      "curl x",
      "wget x",
      "gh pr list",
      "env",
      "printenv",
      "set",
      "history",
      "man ls",
      "help ls",
      "less a",
      "more a",
      "awk '{print}' a",
      "xargs",
      "tee a",
      "unknown",
      "perl -e 1",
      "python x.py",
      "npm test",
      "make",
      "docker ps",
      "rm a",
      "touch a",
      "mkdir a",
      "cp a b",
      "./ls"
    ]
  ]
]

describe("programs that only read", () => {
  it.each(PROGRAMS.flatMap(([, reading]) => reading.map((command) => [command])))("proven: %s", (command) => {
    expect(whyNotReading(command), command).toBeUndefined()
  })

  it.each(PROGRAMS.flatMap(([, , not]) => not.map((command) => [command])))("not proven: %s", (command) => {
    expect(whyNotReading(command), command).toBeTypeOf("string")
  })
})
