import type { ProgramRow } from "./row.ts"

/** The programs that only read, with closed lists of flags. Whatever is not listed asks. */
export const READERS: ReadonlyArray<ProgramRow> = [
  {
    names: "ls",
    role: "list",
    reads: true,
    globs: true,
    recursive: "-R --recursive",
    flags: `-a -A -l -h -1 -R -t -r -S -s -i -d -F -G -g -n -o -p -q -X -v -k -c -u -U -L -H -x -m -C -Q -b -B -N -Z
      --all --almost-all --human-readable --recursive --reverse --size --inode --directory --classify[w] --no-group
      --numeric-uid-gid --sort:w --time:w --color[w] --group-directories-first --time-style:t --full-time --si
      --author --indicator-style:w --format:w --ignore:t --hide:t --width:k -I:t -w:k --quoting-style:w --zero`
  },
  { names: "cat", role: "read", reads: true, globs: true, flags: "-n -b -s -A -e -E -t -T -v --number --show-all" },
  { names: "tac", role: "read", reads: true, flags: "-b -s:t" },
  { names: "rev", role: "read", reads: true },
  { names: "nl", role: "read", reads: true, flags: "-b:t -n:w -s:t -w:k -v:k -i:k -h:t -f:t -p -l:k" },
  {
    names: "head",
    role: "read",
    reads: true,
    globs: true,
    numbers: true,
    flags: "-n:k -c:k -q -v -z --lines:k --bytes:k --quiet --silent --verbose --zero-terminated"
  },
  {
    names: "tail",
    role: "read",
    reads: true,
    globs: true,
    numbers: true,
    flags: `-n:k -c:k -q -v -z -r --lines:k --bytes:k --quiet --silent --verbose --zero-terminated
      -f! -F! --follow[w]! --retry! --pid:k! -s:k!`
  },
  {
    names: "wc",
    role: "read",
    reads: true,
    globs: true,
    flags: "-l -w -c -m -L --lines --words --bytes --chars --max-line-length --files0-from:r!"
  },
  {
    names: "stat",
    role: "read",
    reads: true,
    globs: true,
    flags: "-c:t -f -L -t -x -s -r --format:t --printf:t --file-system --dereference --terse"
  },
  {
    names: "du",
    role: "list",
    reads: true,
    globs: true,
    recursive: "always",
    flags: `-h -s -a -b -k -m -c -d:k -x -L -S -l -0 -H --max-depth:k --apparent-size --human-readable --summarize --all
      --bytes --total --one-file-system --si --exclude:t --separate-dirs --time[w] --files0-from:r! -X:r!
      --exclude-from:r!`
  },
  {
    names: "df",
    role: "list",
    reads: true,
    globs: true,
    flags: `-a -h -H -i -k -m -l -P -T -t:w -x:w --all --human-readable --inodes --local --total
      --type:w --print-type --si`
  },
  {
    names: "file",
    role: "read",
    reads: true,
    flags: `-b -i -k -L -h --brief --mime --mime-type --mime-encoding --keep-going --dereference --no-dereference
      -m:r! --magic-file:r! -f:r! --files-from:r! -C! --compile! -z! -Z! -S!`
  },
  {
    names: "grep egrep fgrep",
    role: "pattern",
    reads: true,
    globs: true,
    recursive: "-r -R --recursive --dereference-recursive",
    flags: `-E -F -G -P -i -v -w -x -c -l -L -n -H -h -o -q -s -m:k -A:k -B:k -C:k -r -a -I -e:t -b -T -Z -z -U -y
      --extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --invert-match
      --word-regexp --line-regexp --count --files-with-matches --files-without-match --line-number --with-filename
      --no-filename --only-matching --quiet --silent --no-messages --max-count:k --after-context:k --before-context:k
      --context:k --recursive --text --regexp:t --include:t --exclude:t --exclude-dir:t --color[w] --colour[w] --null
      --byte-offset --null-data --binary-files:w --label:t --line-buffered
      -R! --dereference-recursive! -f:r! --file:r! -D:w! --devices:w! -d:w! --directories:w! --exclude-from:r!`,
    numbers: true
  },
  {
    names: "rg",
    role: "search",
    reads: true,
    recursive: "always",
    flags: `-i -s -S -v -w -x -c -l -n -N -o -H -I -F -P -U -e:t -g:t -t:w -T:w -A:k -B:k -C:k -m:k -u -p -q -j:k -r:t
      -a -0 -d:k -M:k -. --files --hidden --no-ignore --json --sort:w --sortr:w --stats --max-depth:k
      --ignore-case --case-sensitive --smart-case --invert-match --word-regexp --line-regexp --count --count-matches
      --files-with-matches --files-without-match --line-number --no-line-number --only-matching --with-filename
      --no-filename --fixed-strings --pcre2 --multiline --multiline-dotall --regexp:t --glob:t --iglob:t --type:w
      --type-not:w --type-list --after-context:k --before-context:k --context:k --max-count:k --unrestricted --pretty
      --quiet --threads:k --replace:t --text --null --heading --no-heading --color:w --colors:t --column --no-messages
      --no-ignore-vcs --no-ignore-parent --no-config --trim --vimgrep --max-columns:k --max-filesize:k --crlf
      --max-columns-preview --passthru --one-file-system --context-separator:t --no-ignore-global --no-require-git
      --pre:x! --pre-glob:t! --hostname-bin:x! -z! --search-zip! -L! --follow! -f:r! --file:r! --ignore-file:r!`
  },
  {
    names: "fd fdfind",
    role: "search",
    reads: true,
    recursive: "always",
    flags: `-H -I -s -i -g -F -a -d:k -t:w -e:w -E:t -p -0 -u -1 -q -S:t --hidden --no-ignore --case-sensitive
      --ignore-case --glob --fixed-strings --absolute-path --max-depth:k --min-depth:k --exact-depth:k --type:w
      --extension:w --exclude:t --full-path --print0 --max-results:k --color:w --size:t --changed-within:t
      --changed-before:t --no-ignore-vcs --unrestricted --and:t --strip-cwd-prefix[w] --quiet
      -x:x! --exec:x! -X:x! --exec-batch:x! -l! --list-details! -L! --follow! --base-directory:r! --search-path:r!
      --ignore-file:r!`
  },
  {
    names: "sort",
    role: "read",
    reads: true,
    flags: `-n -r -u -k:t -t:t -f -b -g -h -V -s -c -C -z -M -d -i -R --numeric-sort --reverse --unique --key:t
      --field-separator:t --ignore-case --ignore-leading-blanks --general-numeric-sort --human-numeric-sort
      --version-sort --stable --check[w] --zero-terminated --month-sort --dictionary-order --ignore-nonprinting
      -o:o! --output:o! -T:r! --temporary-directory:r! --compress-program:x! --files0-from:r! -S:t! --buffer-size:t!`
  },
  {
    names: "uniq",
    role: "filter",
    reads: true,
    most: 1,
    flags: `-c -d -D -u -i -f:k -s:k -w:k -z --count --repeated --unique --ignore-case --skip-fields:k --skip-chars:k
      --check-chars:k --zero-terminated`
  },
  { names: "xxd", role: "filter", reads: true, most: 1, flags: "-l:k -s:t -c:k -g:k -p -ps -u -b -i -e -r! -revert! -R:w!" },
  {
    names: "cut",
    role: "read",
    reads: true,
    globs: true,
    flags: `-b:t -c:t -d:t -f:t -s -n -z --bytes:t --characters:t --delimiter:t --fields:t --only-delimited --complement
      --output-delimiter:t`
  },
  {
    names: "tr",
    role: "text",
    reads: true,
    globs: true,
    flags: "-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1"
  },
  { names: "paste", role: "read", reads: true, globs: true, flags: "-d:t -s -z --delimiters:t --serial" },
  {
    names: "column",
    role: "read",
    reads: true,
    globs: true,
    flags: `-t -x -s:t -o:t -c:k -N:t -R:t -H:t -J --table --separator:t --output-separator:t --table-columns:t
      --output-width:k --json`
  },
  { names: "fold", role: "read", reads: true, globs: true, flags: "-b -s -w:k --bytes --spaces --width:k" },
  { names: "fmt", role: "read", reads: true, globs: true, numbers: true, flags: "-c -s -t -u -w:k -p:t -g:k --width:k" },
  { names: "expand unexpand", role: "read", reads: true, globs: true, flags: "-t:t -i -a --tabs:t --initial --all" },
  {
    names: "comm",
    role: "read",
    reads: true,
    globs: true,
    flags: "-1 -2 -3 -i -z --check-order --nocheck-order --output-delimiter:t --total"
  },
  {
    names: "cmp",
    role: "read",
    reads: true,
    globs: true,
    flags: "-b -l -s -n:k -i:t --print-bytes --verbose --quiet --silent --bytes:k --ignore-initial:t"
  },
  {
    names: "join",
    role: "read",
    reads: true,
    globs: true,
    flags: "-a:k -e:t -i -j:k -o:t -t:t -v:k -1:k -2:k -z --header --check-order --nocheck-order --ignore-case"
  },
  { names: "tsort", role: "read", reads: true, globs: true },
  {
    names: "pr",
    role: "read",
    reads: true,
    globs: true,
    numbers: true,
    flags: "-a -d -F -J -t -T -m -l:k -w:k -W:k -h:t -o:k -f"
  },
  {
    names: "diff",
    role: "read",
    reads: true,
    // Of two directories it compares the files that lie directly in both, also without a flag.
    recursive: "always",
    flags: `-u -U:k -c -C:k -y -q -s -r -i -w -b -B -E -N -a -Z -p -d -t -T -W:k -n --color[w] --strip-trailing-cr
      --unified[k] --context[k] --side-by-side --brief --report-identical-files --recursive --ignore-case
      --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-tab-expansion --new-file --text --width:k
      --suppress-common-lines --no-dereference --minimal --exclude:t -x:t --label:t -L:t --normal --show-c-function
      -l! --paginate! --to-file:r! --from-file:r! -X:r! --exclude-from:r! -D:w! --ifdef:w!`
  },
  {
    names: "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum cksum b2sum",
    role: "read",
    reads: true,
    globs: true,
    flags: "-b -t -z --tag --binary --text --zero -a:w --algorithm:w --length:k -l:k -c! --check!"
  },
  {
    names: "base64 base32",
    role: "read",
    reads: true,
    globs: true,
    flags: "-d -D -w:k -i --decode --wrap:k --ignore-garbage"
  },
  {
    names: "strings",
    role: "read",
    reads: true,
    globs: true,
    numbers: true,
    flags: "-a -n:k -t:w -e:w -f -o --all --bytes:k --radix:w"
  },
  {
    names: "od",
    role: "read",
    reads: true,
    globs: true,
    flags: `-A:w -N:k -v -t:w -w:k -c -x -b -d -o -s -j:k -a -S:k --address-radix:w --read-bytes:k
      --format:w --width[k]`
  },
  { names: "hexdump", role: "read", reads: true, globs: true, flags: "-C -n:k -s:k -v -b -c -d -o -x -e:t -f:r!" },
  {
    names: "tree",
    role: "list",
    reads: true,
    apart: true,
    recursive: "always",
    flags: `-a -d -L:k -f -i -I:t -P:t -h -s -D -C -n -A -S -p -u -g -F -J -r -t -c -U -v --dirsfirst --filesfirst
      --noreport --gitignore --prune --du --si --filelimit:k --sort:w --matchdirs --ignore-case --charset:w --inodes
      -o:o! -R! -H:t! -X! -l! --fromfile! --infofile:r! --gitfile:r!`
  },
  {
    names: "date",
    role: "text",
    reads: true,
    flags: `-u -R -I[w] -d:t --date:t --iso-8601[w] --utc --universal --rfc-3339:w --rfc-email --debug
      -s:t! --set:t! -f:r! --file:r! -r:r! --reference:r!`
  },
  {
    names: "ps",
    role: "text",
    reads: true,
    flags: `-e -f -A -a -x -l -w -j -H -T -L -d -u:w -U:w -p:w -o:w -C:w -g:w -t:w --sort:w --no-headers --forest
      --pid:w --ppid:w --user:w --format:w`
  },
  { names: "pwd", role: "none", reads: true, flags: "-L -P" },
  { names: "whoami arch", role: "none", reads: true },
  { names: "id", role: "text", reads: true, flags: "-u -g -G -n -r -z -a --user --group --groups --name --real" },
  { names: "groups", role: "text", reads: true },
  { names: "uname", role: "none", reads: true, flags: "-a -s -n -r -v -m -p -i -o --all --machine --kernel-release" },
  { names: "nproc", role: "none", reads: true, flags: "--all --ignore:k" },
  { names: "uptime", role: "none", reads: true, flags: "-p -s --pretty --since" },
  { names: "free", role: "none", reads: true, flags: "-h -b -k -m -g -t -w -l --si --human --mega --giga --total --wide" },
  { names: "hostname", role: "none", reads: true, most: 0, flags: "-s -I -F:r! -b! -f! -d! -i! --short" },
  { names: "tty", role: "none", reads: true, flags: "-s --silent --quiet" },
  { names: "locale", role: "text", reads: true, flags: "-a -c -k --all-locales" },
  { names: "cal ncal", role: "text", reads: true, flags: "-1 -3 -y -j -h -m -s" },
  { names: "getconf", role: "text", reads: true, flags: "-a" },
  { names: "basename", role: "text", reads: true, flags: "-a -z -s:t --multiple --suffix:t --zero" },
  { names: "dirname", role: "text", reads: true, flags: "-z --zero" },
  {
    names: "realpath",
    role: "read",
    reads: true,
    flags: `-e -m -L -P -q -s -z --canonicalize-existing --canonicalize-missing --no-symlinks --quiet --logical
      --physical --strip --relative-to:r --relative-base:r`
  },
  {
    names: "readlink",
    role: "read",
    reads: true,
    flags: "-f -e -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline"
  },
  { names: "seq", role: "text", reads: true, numbers: true, flags: "-w -s:t -f:t --equal-width --separator:t --format:t" },
  { names: "expr sleep", role: "text", reads: true },
  { names: "true false :", role: "text", reads: true },
  { names: "which", role: "text", reads: true, flags: "-a -s --all" },
  { names: "whereis", role: "text", reads: true, flags: "-b -m -s -u -l" },
  { names: "type", role: "text", reads: true, flags: "-a -t -p -P -f" },
  { names: "test [", role: "test", reads: true },
  { names: "echo printf", role: "text", reads: true },
  {
    names: "sed",
    role: "script",
    reads: true,
    flags: `-n -E -r -z -s -u --quiet --silent --regexp-extended --null-data --separate --unbuffered -e:t --expression:t
      -f:r! --file:r! -i[t]! --in-place[t]! -l:k! --line-length:k! --debug! --posix! --sandbox! --follow-symlinks!`
  },
  {
    names: "jq",
    role: "pattern",
    reads: true,
    flags: `-r -c -n -e -s -S -M -C -a -j --tab --indent:k --arg:2 --argjson:2 --stream --seq --raw-output
      --compact-output --null-input --exit-status --slurp --sort-keys --monochrome-output --color-output
      --ascii-output --join-output -f:r! --from-file:r! -L:r! --rawfile:f! --slurpfile:f! --run-tests! --args!
      --jsonargs! --argfile:f! --raw-output0 --unbuffered --raw-input -R --stream-errors`
  },
  { names: "find", role: "find", reads: true, recursive: "always" }
]

/** Programs that only read when called exactly so. */
export const EXACT_READERS: ReadonlySet<string> = new Set([
  "node -v",
  "node --version",
  "python --version",
  "python -V",
  "python3 --version",
  "python3 -V",
  "git --version",
  "git version",
  "go version",
  "gcc --version"
])
