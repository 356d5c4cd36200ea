import type { CommandWords, FlagWords } from './command-words.ts'

/** For bash 3.2 and newer. */
export function bashScript(commands: readonly CommandWords[]): string {
  return `# Completion of pixpress for bash.
_pixpress() {
  local current=\${COMP_WORDS[COMP_CWORD]} before='' command=\${COMP_WORDS[1]:-} flags='' words='' kind=file prefix='' IFS=$' \\t\\n'
  COMPREPLY=()
  [ "$COMP_CWORD" -gt 0 ] && before=\${COMP_WORDS[COMP_CWORD-1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} help --help --version' -- "$current"))
    return 0
  fi
  # Bash takes the = of --flag=value for a word.
  if [ "$current" = '=' ]; then
    current=''
  elif [ "$before" = '=' ] && [ "$COMP_CWORD" -gt 1 ]; then
    before=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  case $command in
${commands.map(commandCase).join('\n')}
    help) kind=words; words='${commands.map(({ name }) => name).join(' ')}' ;;
  esac
  case $kind in
    folder)
      IFS=$'\\n'
      compopt -o filenames 2> /dev/null
      COMPREPLY=($(compgen -d -- "$current"))
      ;;
    words | commas)
      if [ "$kind" = commas ] && [ "$current" != "\${current#*,}" ]; then
        prefix=\${current%,*},
        current=\${current##*,}
      fi
      COMPREPLY=($(compgen -P "$prefix" -W "$words" -- "$current"))
      ;;
    file)
      case $current in
        -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
        *)
          IFS=$'\\n'
          compopt -o filenames 2> /dev/null
          COMPREPLY=($(compgen -f -- "$current"))
          ;;
      esac
      ;;
  esac
}
complete -F _pixpress pixpress
`
}

function commandCase({ name, flags, words }: CommandWords): string {
  const names = flags.flatMap((flag) => flag.names).join(' ')
  const values = flags.flatMap((flag) => valueCase(flag))
  const first =
    words === undefined
      ? []
      : [
          `        *) case $current in -*) ;; *) [ "$COMP_CWORD" -eq 2 ] && kind=words && words='${words.join(' ')}' ;; esac ;;`,
        ]
  return `    ${name})
      flags='${names}'
      case $before in
${[...values, ...first].join('\n')}
      esac
      ;;`
}

function valueCase({ names, value }: FlagWords): string[] {
  if (value === undefined || value.kind === 'file') return []
  const pattern = names.join(' | ')
  if (value.kind !== 'words') return [`        ${pattern}) kind=${value.kind} ;;`]
  return [`        ${pattern}) kind=${value.commas ? 'commas' : 'words'}; words='${value.words.join(' ')}' ;;`]
}
