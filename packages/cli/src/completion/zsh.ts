import type { CommandWords, FlagWords } from './command-words.ts'

/** Writes the script for zsh. */
export function zshScript(commands: readonly CommandWords[]): string {
  return `#compdef pixpress
# Completion of pixpress for zsh.
_pixpress() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C '(- *)'{-h,--help}'[the commands]' '(- *)'{-v,--version}'[the version]' '1:command:->command' '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
${commands.map(({ name, summary }) => `        ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`).join('\n')}
      )
      _describe -t commands command commands
      ;;
    argument)
      case $words[1] in
${commands.map(commandCase).join('\n')}
      esac
      ;;
  esac
}
if [ "$funcstack[1]" = _pixpress ]; then
  _pixpress "$@"
else
  compdef _pixpress pixpress
fi
`
}

function commandCase({ name, flags, words }: CommandWords): string {
  const rest = words === undefined ? "'*:file:_files'" : words.length === 0 ? '' : quoted(`1:what:(${words.join(' ')})`)
  const lines = [...flags.map(flagArgument), rest].filter((line) => line !== '')
  return `        ${name})
          _arguments \\
            ${lines.join(' \\\n            ')}
          ;;`
}

function flagArgument({ names, description, value }: FlagWords): string {
  const [long, short] = names
  const text = `[${description.replaceAll(/[[\]\\]/g, '\\$&')}]${value === undefined ? '' : valueAction(value)}`
  const equals = value === undefined ? '' : '='
  if (short === undefined) return quoted(`${long}${equals}${text}`)
  return `'(${short} ${long})'{${short},${long}${equals}}${quoted(text)}`
}

function valueAction({ label, kind, words, commas }: NonNullable<FlagWords['value']>): string {
  const message = `:${label.replaceAll(':', '\\:')}:`
  if (kind === 'file') return `${message}_files`
  if (kind === 'folder') return `${message}_files -/`
  if (kind === 'text') return message
  return commas ? `${message}_values -s , value ${words.join(' ')}` : `${message}(${words.join(' ')})`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
