import { describeFlags, nearest, parseFlags, UsageError } from '@pixpress/core/internal'
import { flagWords } from '../completion/command-words.ts'
import type { CommandWords } from '../completion/command-words.ts'
import { SHELLS, SHELL_NAMES } from '../completion/shells.ts'
import type { ShellName } from '../completion/shells.ts'
import { EXIT } from '../base/exit.ts'
import type { Surroundings } from '../base/output.ts'
import type { Command, Commands } from './command.ts'

/** Flags of `pixpress completion`. */
export const COMPLETION_FLAGS = { help: { short: 'h', description: 'this text' } } as const

const HELP = `Prints a script that makes a shell complete commands, flags and their values. It starts no program while you type.

  pixpress completion <${SHELL_NAMES.join('|')}>

${Object.entries(SHELLS)
  .map(([name, { load }]) => `  ${name.padEnd(4)}  ${load}`)
  .join('\n')}

${describeFlags(COMPLETION_FLAGS)}
`

/** Makes `pixpress completion bash|zsh|fish` for a list of commands, itself among them. */
export const completionOf =
  (commands: Commands) =>
  (args: readonly string[], around: Surroundings): Promise<number> =>
    completion(args, around, commands)

/** @throws UsageError for another shell */
async function completion(args: readonly string[], { stdout }: Surroundings, commands: Commands): Promise<number> {
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
  const words = await Promise.all(Object.entries(commands).map(([each, command]) => wordsOf(each, command)))
  stdout.write(SHELLS[name as ShellName].script(words))
  return EXIT.ok
}

async function wordsOf(name: string, command: Command): Promise<CommandWords> {
  const [flags, words] = await Promise.all([command.flags(), command.words?.()])
  return { name, summary: command.summary, flags: flagWords(flags), words }
}
