" Answers cases of keys: one JSON object a line in $ORACLE_CASES, one JSON answer a line in $ORACLE_ANSWERS.
" Started as `vim -Nu NONE -i NONE -n --not-a-term -S`. How a case stays apart from the one before it:
" - a new buffer has no undo history, marks, last insert position and last selection; the old one is wiped;
" - vim itself puts the last search and the last change back when a user's function returns, so each case starts without;
" - registers, jumps and the last f/t are cleared; the last inserted text and the last command line are set to known ones.

set nomore noswapfile viminfo= belloff=all shortmess=aoOtTWIcFsS
" Nothing wraps and everything is on the screen, so screen motions do not depend on the size of a terminal.
set lines=100 columns=1000
" After an error vim lets a person read it for a second before it goes on.
call test_override('ui_delay', 1)

let s:names = split('"0123456789-abcdefghijklmnopqrstuvwxyz.:/', '\zs')
let s:keys = {}
let s:file = $ORACLE_ANSWERS .. '.text'
let s:answers = []
let s:key = -1

func s:Encode(strokes)
  let keys = ''
  for stroke in a:strokes
    if !has_key(s:keys, stroke)
      let s:keys[stroke] = stroke =~# '^<.\+>$' ? eval('"\' .. stroke .. '"') : stroke
    endif
    let keys ..= s:keys[stroke]
  endfor
  return keys
endfunc

" Runs as the last key of a part, in whatever mode the keys before it left: the mode is read before it ends. Not an
" <expr> mapping: vim evaluates those while it looks ahead, before it has inserted what was typed. And typed twice:
" after f, t and r vim looks ahead for combining characters, and a failure then drops the mapping that it saw there.
" Parts take turns with two keys, so that one that was seen twice is known from the next.
func s:Observe(key)
  let registers = {}
  for name in s:names
    let info = getreginfo(name)
    if !empty(info) && !empty(info.regcontents)
      let registers[name] = {'type': info.regtype[0], 'lines': info.regcontents}
    endif
  endfor
  if a:key == s:key && !empty(s:answers)
    call remove(s:answers, -1)
  endif
  let s:key = a:key
  call add(s:answers, {'lines': getline(1, '$'), 'caret': getpos('.')[1:2], 'anchor': getpos('v')[1:2], 'mode': mode(1), 'registers': registers})
endfunc

noremap <C-_> <Cmd>call <SID>Observe(0)<CR>
noremap! <C-_> <Cmd>call <SID>Observe(0)<CR>
noremap <F20> <Cmd>call <SID>Observe(1)<CR>
noremap! <F20> <Cmd>call <SID>Observe(1)<CR>

" Empties what only keys can: the last inserted text, the size of the last selection, the flags of the last :s, the last macro and
" the last command line.
func s:Forget()
  call setreg('z', [])
  silent! call feedkeys("ox\<Esc>vyi\<Esc>:s/\x01/\<CR>@z:\"\<CR>", 'xt')
endfunc

func s:Clear(lines, settings)
  execute 'set' a:settings
  bwipeout!
  call writefile(a:lines, s:file)
  execute 'silent edit!' s:file
  call cursor(1, 1)
  clearjumps
  delmarks .^[]"
  for name in s:names
    if name =~# '[a-z0-9"-]'
      " Only text sets the type, and an empty register keeps the one it had.
      call setreg(name, 'x', 'c')
      call setreg(name, [])
    endif
  endfor
  " An empty character would be found everywhere; this one nowhere.
  call setcharsearch({'char': "\x01"})
endfunc

" "t" makes the keys as good as typed: undo sees single commands, recording records them, and an error drops what a
" macro still had to do but not the keys that a person goes on typing. "silent" keeps messages from asking for Enter.
func s:Answer(case)
  call s:Clear(a:case.lines, a:case.settings)
  let s:answers = []
  let s:key = -1
  let keys = ''
  for [index, part] in items(a:case.parts)
    let keys ..= s:Encode(part) .. (index % 2 ? "\<F20>\<F20>" : "\<C-_>\<C-_>")
  endfor
  silent call feedkeys(keys .. "\<C-\>\<C-n>", 'xt')
  if reg_recording() !=# ''
    silent call feedkeys('q', 'xt')
  endif
  return len(s:answers) == len(a:case.parts) ? s:answers : []
endfunc

" Outside any function: what a function changed or searched last is put back when the outermost one returns.
for s:line in readfile($ORACLE_CASES)
  call s:Forget()
  call writefile([json_encode(s:Answer(json_decode(s:line)))], $ORACLE_ANSWERS, 'a')
endfor
qall!
