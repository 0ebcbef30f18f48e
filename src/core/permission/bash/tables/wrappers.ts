/** Programs that run the program named in their own words. */
export interface WrapperRow {
  readonly names: string
  /** In the language of `flags.ts`. A `!` marks a flag with which an allow rule no longer sees through. */
  readonly flags?: string
  /** Operands of its own before the program. */
  readonly operands?: number
  /** A dash alone among its operands is one more. */
  readonly dash?: true
  /** Assignments may stand before the program. */
  readonly assignments?: true
  /** An allow rule may look through it when only flags without `!` are there. */
  readonly strippable?: true
  /** It leaves files behind or changes who runs, so looking through it never proves reading. */
  readonly leavesTraces?: true
  /** Its words are code: they are joined and read as a shell text. */
  readonly code?: true
  /** Adds operands that nobody has seen. */
  readonly feeds?: true
}

export const SSH_FLAGS = `-F:r -i:r -o:x -l:w -p:k -L:t -R:t -D:t -E:o -S:o -J:t -W:t -b:w -c:w -e:w -I:r -m:w -O:w -Q:w
  -w:w -B:w -4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -tt -vv -vvv`

export const WRAPPERS: ReadonlyArray<WrapperRow> = [
  {
    names: "timeout",
    strippable: true,
    operands: 1,
    flags: `-k:k -s:w --kill-after:k! --signal:w! --foreground! --preserve-status! -v! --verbose! -f! -p!`
  },
  { names: "time", strippable: true, flags: "-p! -f:t! -o:o! -a! -v! --format:t! --output:o! --portability!" },
  { names: "nice", strippable: true, flags: "-n:k --adjustment:k!" },
  { names: "nohup", strippable: true, leavesTraces: true },
  { names: "stdbuf", strippable: true, flags: "-i:w -o:w -e:w --input:w! --output:w! --error:w!" },
  { names: "command", strippable: true, flags: "-p! -v! -V!" },
  { names: "builtin noglob", strippable: true },
  {
    names: "xargs",
    strippable: true,
    feeds: true,
    flags: `-0! --null! -n:k! -P:k! -L:k! -I:t! -i[t]! -l[k]! -r! -t! -p! -x! -d:t! -a:r! -E:t! -e[t]! -s:k! -o! -J:t!
      -R:k! -S:k! --max-args:k! --max-procs:k! --max-lines[k]! --replace[t]! --no-run-if-empty! --verbose!
      --interactive! --exit! --delimiter:t! --arg-file:r! --eof[t]! --max-chars:k! --open-tty! --process-slot-var:w!`
  },
  {
    names: "env",
    assignments: true,
    flags: "-i -0 -v -u:w -C:r -S:x -P:t --ignore-environment --null --unset:w --chdir:r --split-string:x --debug"
  },
  {
    names: "sudo",
    assignments: true,
    flags: `-u:w -g:w -h:w -p:t -C:k -D:r -R:r -T:k -U:w -r:w -t:w -A -b -E -e -H -i -K -k -l -n -P -S -s -v -V
      --user:w --group:w --host:w --prompt:t --chdir:r --chroot:r --role:w --type:w --other-user:w --login --shell
      --stdin --background --non-interactive --preserve-env[w]`
  },
  { names: "doas", flags: "-u:w -C:r -L -n -s -a:w" },
  {
    names: "su runuser",
    operands: 1,
    dash: true,
    flags: "-c:x --command:x -s:w --shell:w -g:w -G:w -l -m -p -u:w --login -P --pty"
  },
  { names: "setsid", flags: "-c -f -w --ctty --fork --wait" },
  { names: "ionice", flags: "-c:w -n:k -p:k -t -P:k -u:k --class:w --classdata:k --ignore" },
  { names: "chrt", operands: 1, flags: "-a -b -f -i -m -o -p -r -R -T:k -P:k -D:k" },
  { names: "taskset", operands: 1, flags: "-a -c -p --all-tasks --cpu-list --pid" },
  { names: "flock", operands: 1, flags: "-e -s -x -n -o -u -w:k -E:k -F -c:x --command:x --timeout:k --wait:k" },
  { names: "watch", code: true, flags: "-n:k -d -t -b -e -g -c -p -x --interval:k --no-title --exec --color" },
  { names: "script", flags: "-c:x --command:x -q -a -e -f -t -O:o -I:o -B:o -T:o -E:w --log-out:o --quiet --return" },
  { names: "unshare", flags: "-m -u -i -n -p -U -C -T -f -r -c --map-root-user --fork --mount-proc --root:r -R:r -w:r" },
  { names: "nsenter", flags: "-t:k -a -m -u -i -n -p -C -U -T -S:k -G:k -r -w -F -Z --target:k --all --mount" },
  { names: "chroot", operands: 1, flags: "--userspec:w --groups:w --skip-chdir" },
  {
    names: "strace ltrace",
    flags: `-e:t -o:o -p:k -s:k -u:w -E:t -P:r -a:k -b:w -I:w -O:k -S:w -X:w -f -ff -c -C -d -h -i -k
      -n -q -r -t -T -v -x`
  },
  { names: "gdb", flags: "-ex:x -x:r --args -batch -q -p:k --batch --eval-command:x --command:r" },
  { names: "entr", flags: "-a -c -d -n -p -r -s -z" },
  { names: "parallel", code: true, feeds: true, flags: "-j:k --jobs:k -a:r -N:k -n:k -I:t --colsep:t -k -q -X -m -0 -v -u" },
  { names: "busybox toybox" },
  { names: "exec", flags: "-a:w -c -l" },
  { names: "npx bunx", flags: "-y -q -p:w -c:x --yes --no --quiet --package:w --call:x --no-install" },
  { names: "uvx pipx", flags: "--from:w --with:w --python:w -p:w --spec:w -q" },
  { names: "coproc" },
  { names: "direnv devbox mise nix", flags: "" },
  { names: "unbuffer rlwrap catchsegv firejail bwrap proot fakeroot torsocks proxychains caffeinate" },
  { names: "ssh", code: true, operands: 1, flags: SSH_FLAGS }
]

/** Programs of which only some sub-commands run other programs; the words before it are theirs. */
export const RUNNER_VERBS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    git: "-c --exec -x --upload-pack --receive-pack --config-env --extcmd -O --open-files-in-pager --textconv --ext-diff",
    npm: "exec x explore --script-shell --node-options --call -c",
    yarn: "exec dlx --script-shell",
    pnpm: "exec dlx --script-shell -c",
    bun: "x run --bun",
    make: "--eval -E -f --file --makefile",
    gmake: "--eval -E -f --file --makefile",
    cargo: "run",
    go: "run generate -exec -toolexec",
    docker: "exec run compose --entrypoint",
    podman: "exec run --entrypoint",
    kubectl: "exec run debug",
    terraform: "-exec",
    find: "-exec -execdir -ok -okdir",
    tar:
      "--to-command --checkpoint-action -I --use-compress-program -F --info-script --new-volume-script --rsh-command " +
      "--rmt-command",
    sort: "--compress-program",
    rg: "--pre --hostname-bin",
    fd: "-x -X --exec --exec-batch",
    fdfind: "-x -X --exec --exec-batch",
    rsync: "-e --rsh --rsync-path",
    wget: "--use-askpass -e --execute",
    scp: "-o -S",
    sftp: "-o -S",
    zip: "-TT --unzip-command"
  }).map(([program, words]) => [program, new Set(words.split(" "))])
)
