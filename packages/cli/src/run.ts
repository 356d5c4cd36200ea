import { nearest } from '@pixpress/core/internal'
import { visibleText } from '@pixpress/core/report'
import { COMMANDS } from './commands/index.ts'
import { EXIT, UsageError, exitCodeOf, ownVersion } from './exit.ts'
import { surroundings } from './output.ts'
import type { Surroundings } from './output.ts'

const HELP = `pixpress: every image as small as it can be while it still looks right

  pixpress <command> [options]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(10)}  ${summary}`)
  .join('\n')}

  pixpress <command> --help   the command's options
  pixpress --version          the version
`

/**
 * Runs the command line.
 * @param args without the program's own name
 * @returns the exit code: 0 all good, 1 something failed, 2 wrong usage, 3 `check` or `audit` found something
 */
export async function run(args: readonly string[], around: Surroundings = surroundings()): Promise<number> {
  const [name, ...rest] = args
  try {
    if (name === undefined) {
      around.stderr.write(HELP)
      return EXIT.usage
    }
    if (name === 'help' && rest.length > 0) return await run([...rest, '--help'], around)
    if (name === '--help' || name === '-h' || name === 'help') {
      around.stdout.write(HELP)
      return EXIT.ok
    }
    if (name === '--version' || name === '-v') {
      around.stdout.write(`${ownVersion()}\n`)
      return EXIT.ok
    }
    if (!Object.hasOwn(COMMANDS, name)) throw unknownCommand(name)
    const command = await COMMANDS[name]!.load()
    return await command(rest, around)
  } catch (error) {
    return fail(error, around)
  }
}

function fail(error: unknown, { stderr }: Surroundings): number {
  const message = error instanceof Error ? error.message : String(error)
  stderr.write(`pixpress: ${visibleText(message)}\n`)
  return exitCodeOf(error)
}

function unknownCommand(name: string): UsageError {
  const near = nearest(name, Object.keys(COMMANDS))
  const hint =
    near === undefined
      ? `Known: ${Object.keys(COMMANDS).join(', ')}. To compress: 'pixpress compress ${name}'.`
      : `Did you mean '${near}'?`
  return new UsageError(`Unknown command '${name}'. ${hint}`)
}
