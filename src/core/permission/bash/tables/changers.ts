import type { ProgramRow } from "./row.ts"
import { SSH_FLAGS } from "./wrappers.ts"

/** Flags that programs with sub-commands share. */
const VERB_FLAGS = `--prefix:o -C:o -f:r --file:r --manifest-path:r --makefile:r --directory:o --cwd:o --dir:o
  --target-dir:o --kubeconfig:r --config:r --env-file:r -m:t -p:w --package:w -F:w --filter:w -w:w --workspace:w
  --features:w --bin:w --example:w --test:w -n:w --namespace:w --context:w -H:t --host:t --name:w -e:t --env:t -j:k
  -run:t -o:o --out-dir:o --outdir:o --script-shell:x --node-options:x --eval:x -E:x --userconfig:r --globalconfig:r`

/** Programs that write, remove or fetch: which of their words are files. None of them is ever proven to only read. */
export const CHANGERS: ReadonlyArray<ProgramRow> = [
  { names: "less more bat batcat view", role: "read" },
  {
    names: "ag ack",
    role: "search",
    recursive: "always",
    flags: `-i -l -L -n -c -v -w -Q -s -S -H -h -o -u -a -t -U -z -f -r -R -A:k -B:k -C:k -G:t -g:t -m:k -p:r --ignore:t
      --pager:x --path-to-ignore:r --ignore-dir:t --type:t --hidden --files-from:r -x`
  },
  {
    names: "cp",
    role: "copy",
    recursive: "-r -R -a --recursive --archive",
    flags: `-r -R -a -f -i -n -p -u -v -l -s -d -L -P -H -T -x -t:o -S:t --recursive --archive --force --interactive
      --no-clobber --update[w] --verbose --link --symbolic-link --preserve[w] --no-preserve:w --parents
      --target-directory:o --no-target-directory --dereference --no-dereference --backup[w] --suffix:t --sparse:w
      --reflink[w] --remove-destination --strip-trailing-slashes`
  },
  {
    names: "install",
    role: "copy",
    flags: `-b -c -C -d -D -g:w -m:w -o:w -p -s -t:o -T -v --mode:w --owner:w --group:w
      --target-directory:o --directory`
  },
  {
    names: "rsync",
    role: "copy",
    recursive: "always",
    flags: `-a -v -r -z -n -u -x -h -P -l -p -t -g -o -D -q -c -H -A -X -R -d -m -i --delete --delete-after --dry-run
      --progress --stats --exclude:t --include:t --exclude-from:r --include-from:r --files-from:r -e:x --rsh:x
      --rsync-path:x -f:t --filter:t --partial --link-dest:r --backup-dir:o --log-file:o --password-file:r`
  },
  {
    names: "mv",
    role: "move",
    recursive: "always",
    flags: `-f -i -n -u -v -T -t:o -S:t -b --force --interactive --no-clobber --update[w] --verbose
      --target-directory:o --no-target-directory --backup[w] --suffix:t --strip-trailing-slashes`
  },
  {
    names: "ln",
    role: "link",
    flags: `-s -f -n -i -v -r -T -t:o -b -L -P -S:t --symbolic --force --no-dereference --interactive --verbose
      --relative
      --no-target-directory --target-directory:o --backup[w] --suffix:t`
  },
  {
    names: "rm",
    role: "remove",
    recursive: "-r -R --recursive",
    flags: `-r -R -f -i -I -d -v --recursive --force --interactive[w] --dir --verbose
      --one-file-system --preserve-root[w]`
  },
  { names: "rmdir", role: "remove", flags: "-p -v --parents --verbose --ignore-fail-on-non-empty" },
  { names: "unlink", role: "remove" },
  { names: "shred", role: "remove", flags: "-f -n:k -s:t -u -v -x -z --force --iterations:k --size:t --remove[w] --zero" },
  { names: "mkdir", role: "write", flags: "-p -v -m:w --parents --verbose --mode:w" },
  {
    names: "touch",
    role: "write",
    flags: "-a -c -m -h -t:w -d:t -r:r --no-create --date:t --reference:r --time:w --no-dereference"
  },
  { names: "truncate", role: "write", flags: "-c -o -s:t -r:r --no-create --size:t --reference:r" },
  { names: "mktemp", role: "write", flags: "-d -u -q -t -p:o --directory --dry-run --quiet --tmpdir[o] --suffix:t" },
  { names: "tee", role: "write", flags: "-a -i -p --append --ignore-interrupts --output-error[w]" },
  { names: "mkfifo mknod", role: "write", flags: "-m:w --mode:w" },
  {
    names: "chmod chown chgrp setfacl xattr chattr",
    role: "mode",
    recursive: "-R -r --recursive",
    flags: "-R -r -f -v -c -h -H -L -P --recursive --verbose --changes --silent --quiet --reference:r --no-dereference"
  },
  { names: "patch", role: "write", flags: "-p:k -i:r -d:o -o:o -r:o -R -N -s -b --input:r --directory:o --dry-run" },
  {
    names: "awk gawk mawk nawk",
    role: "script",
    flags: `-F:t -v:t -f:r -i:t -e:x -l:x -E:x --field-separator:t --assign:t --file:r --source:x --load:x --exec:x
      --include:t`
  },
  { names: "ed ex vi vim nvim nano emacs", role: "write", flags: "-c:x --cmd:x -S:r -s -e -E -u:r -n -R -w:o -W:o" },
  { names: "dd", role: "dd" },
  {
    names: "tar bsdtar gtar",
    role: "archive",
    recursive: "always",
    flags: `-c -x -t -r -u -A -d -z -j -J -Z -a -v -p -k -O -h -P -m -o -S -f:r -C:o -I:x -T:r -X:r --file:r
      --directory:o
      --create --extract --get --list --append --update --gzip --gunzip --bzip2 --xz --zstd --verbose --exclude:t
      --exclude-from:r --files-from:r --to-command:x --use-compress-program:x --checkpoint-action:x --strip-components:k
      --info-script:x --new-volume-script:x --rsh-command:x --rmt-command:x -F:x --absolute-names --dereference
      --to-stdout --keep-old-files --transform:t --owner:w --group:w --mode:w --checkpoint[k] --wildcards --no-recursion
      --one-top-level[o] --remove-files --overwrite`
  },
  {
    names: "zip unzip zipinfo cpio 7z 7za 7zz ar",
    role: "archive",
    recursive: "always",
    flags: "-d:o -x:t -o! -O:o -F:r -P:t -TT:x --unzip-command:x"
  },
  { names: "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 zcat bzcat xzcat", role: "write", recursive: "-r" },
  {
    names: "curl",
    role: "url",
    flags: `-o:o --output:o -O --remote-name --output-dir:o -K:r --config:r -T:r --upload-file:r -d:t --data:t
      --data-binary:t --data-raw:t --data-urlencode:t --json:t -F:t --form:t --cacert:r --capath:r --cert:r -E:r --key:r
      --netrc-file:r -b:t --cookie:t -c:o --cookie-jar:o -D:o --dump-header:o -H:t --header:t -X:w --request:w -u:t
      --user:t -A:t --user-agent:t -e:t --referer:t -x:t --proxy:t -m:k --max-time:k --connect-timeout:k --retry:k
      -w:t --write-out:t --etag-save:o --etag-compare:r --hsts:o --alt-svc:o --libcurl:o --variable:t --url-query:t
      --proxy-header:t --form-string:t --trace:o --trace-ascii:o --stderr:o --unix-socket:o --url:t --resolve:t --limit-rate:t
      -L -s -S -f -k -i -I -v -G -g -4 -6 -N -q -n -J -# --location --silent --show-error --fail --compressed
      --insecure`
  },
  {
    names: "wget",
    role: "url",
    recursive: "always",
    flags: `-O:o --output-document:o -P:o --directory-prefix:o -o:o --output-file:o -a:o --append-output:o -i:r
      --input-file:r --post-file:r --body-file:r --post-data:t --header:t -U:t --user-agent:t -T:k --timeout:k -t:k
      --tries:k --load-cookies:r --save-cookies:o --ca-certificate:r --certificate:r --private-key:r --config:r
      --execute:x -e:x --use-askpass:x -q -nv -c -r -N -k -p -np -nc -S --quiet --no-check-certificate --spider`
  },
  { names: "ssh", role: "remote", flags: SSH_FLAGS },
  {
    names: "scp sftp",
    role: "remote",
    recursive: "-r",
    flags: "-F:r -i:r -o:x -P:k -l:k -S:x -c:w -J:t -D:t -b:r -B -r -p -q -v -C -4 -6 -3 -O -T"
  },
  { names: "kill pkill killall", role: "text" },
  { names: "history", role: "text", flags: "-w:o -a:o -n:r -r:r -s -p -c -d:k" },
  { names: "printenv jobs wait times cd pushd popd dirs exit return break continue shift", role: "text" },
  { names: "git npm yarn pnpm make gmake kubectl terraform bun", role: "verb", flags: VERB_FLAGS },
  { names: "cargo", role: "verb", flags: `${VERB_FLAGS} --config:x` },
  { names: "go", role: "verb", flags: `${VERB_FLAGS} -exec:x -toolexec:x -vettool:x` },
  {
    names: "docker podman",
    role: "verb",
    flags: `-v:t --volume:t --mount:t -f:r --file:r --env-file:r -H:t --host:t --context:t -e:t --env:t -w:t --workdir:t
      -u:w --user:w --name:w --network:w -p:t --publish:t --entrypoint:x --config:r -t:t --tag:t -it -ti -d -i --rm`
  },
  { names: "python python2 python3 node nodejs tsx ts-node ruby perl php lua deno osascript Rscript", role: "code" },
  { names: "sh bash zsh dash ksh ash fish source .", role: "code" }
]
