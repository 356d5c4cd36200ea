import type { CommandWords, FlagWords } from './command-words.ts'

/** Writes the script for fish. */
export function fishScript(commands: readonly CommandWords[]): string {
  const names = commands.map(({ name }) => name).join(' ')
  const lines = commands.flatMap(({ name, summary, flags, words }) => {
    const condition = `-n '__fish_seen_subcommand_from ${name}'`
    return [
      `complete -c pixpress -n '__fish_use_subcommand' -f -a ${name} -d ${quoted(summary)}`,
      ...(words === undefined
        ? []
        : [
            `complete -c pixpress -n '__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${words.join(' ') || name}' -f${words.length > 0 ? ` -a '${words.join(' ')}'` : ''}`,
          ]),
      ...flags.map((flag) => flagLine(flag, condition)),
    ]
  })
  return `# Completion of pixpress for fish.
complete -c pixpress -n '__fish_use_subcommand' -f -l help -s h -d 'the commands'
complete -c pixpress -n '__fish_use_subcommand' -f -l version -s v -d 'the version'
complete -c pixpress -n '__fish_use_subcommand' -f -a help -d 'the help of a command'
complete -c pixpress -n '__fish_seen_subcommand_from help' -f -a '${names}'
${lines.join('\n')}
`
}

function flagLine({ names, description, value }: FlagWords, condition: string): string {
  const [long = '', short] = names
  const letter = short === undefined ? '' : ` -s ${short.slice(1)}`
  const said = `complete -c pixpress ${condition} -l ${long.slice(2)}${letter} -d ${quoted(description)}`
  if (value === undefined) return said
  if (value.kind === 'file') return `${said} -r -F`
  if (value.kind === 'folder') return `${said} -x -a '(__fish_complete_directories)'`
  if (value.kind === 'text') return `${said} -x`
  const words = value.words.join(' ')
  if (!value.commas) return `${said} -x -a '${words}'`
  return `${said} -x -a "(__fish_append , ${words})"`
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
