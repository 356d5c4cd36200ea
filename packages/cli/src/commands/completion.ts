import { describeFlags, nearest, parseFlags } from '@pixpress/core/internal'
import { flagWords } from '../completion/command-words.ts'
import type { CommandWords } from '../completion/command-words.ts'
import { SHELLS, SHELL_NAMES } from '../completion/shells.ts'
import type { ShellName } from '../completion/shells.ts'
import { EXIT, UsageError } from '../exit.ts'
import type { Surroundings } from '../output.ts'
import type { Command } from './index.ts'

export const COMPLETION_FLAGS = { help: { short: 'h', description: 'this text' } } as const

const HELP = `Prints a script that makes a shell complete commands, flags and their values. It starts no program while you type.

  pixpress completion <${SHELL_NAMES.join('|')}>

${Object.entries(SHELLS)
  .map(([name, { load }]) => `  ${name.padEnd(4)}  ${load}`)
  .join('\n')}

${describeFlags(COMPLETION_FLAGS)}
`

/** `pixpress completion bash|zsh|fish`. @throws UsageError for another shell */
export async function completion(args: readonly string[], { stdout }: Surroundings): Promise<number> {
  const { flags, positionals } = parseFlags(args, COMPLETION_FLAGS)
  if (flags.help) {
    stdout.write(HELP)
    return EXIT.ok
  }
  const [name, ...others] = positionals
  if (name === undefined || others.length > 0 || !Object.hasOwn(SHELLS, name)) {
    const near = name === undefined ? undefined : nearest(name, SHELL_NAMES)
    const hint = near === undefined ? '' : ` Did you mean '${near}'?`
    throw new UsageError(`Expected one of ${SHELL_NAMES.join(', ')}: pixpress completion bash.${hint}`)
  }
  // The list names this command too, so it cannot be loaded before it.
  const { COMMANDS } = await import('./index.ts')
  const commands = await Promise.all(Object.entries(COMMANDS).map(([each, command]) => wordsOf(each, command)))
  stdout.write(SHELLS[name as ShellName].script(commands))
  return EXIT.ok
}

async function wordsOf(name: string, command: Command): Promise<CommandWords> {
  const [flags, words] = await Promise.all([command.flags(), command.words?.()])
  return { name, summary: command.summary, flags: flagWords(flags), words }
}
