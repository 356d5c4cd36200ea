import { PixpressError } from '@pixpress/core'
import { cut, nearest, UsageError } from '@pixpress/core/internal'
import { visibleText } from '@pixpress/core/report'
import { COMMANDS } from './commands/index.ts'
import { EXIT, exitCodeOf, ownVersion } from './base/exit.ts'
import { surroundings } from './base/output.ts'
import type { Surroundings } from './base/output.ts'

const HELP = `pixpress: every image as small as it can be while it still looks right

  pixpress                    opens a page to drop pictures on, on this machine
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
    if (name === undefined) return await withoutCommand(around)
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
    return fail(error, args, around)
  }
}

/** Opens the page for a person at a terminal where its server runs; else shows the help. */
async function withoutCommand(around: Surroundings): Promise<number> {
  if (around.stdin.isTTY === true && around.stderr.isTTY === true) {
    const [{ installedServer }, { openPage }] = await Promise.all([
      import('./commands/serve.ts'),
      import('./commands/open-page.ts'),
    ])
    const server = await installedServer()
    if (server !== undefined) return openPage(around, server)
  }
  around.stderr.write(HELP)
  return EXIT.usage
}

function fail(error: unknown, args: readonly string[], { stdout, stderr }: Surroundings): number {
  const message = error instanceof Error ? error.message : String(error)
  if (wantsJson(args)) {
    const { code, file } = error instanceof PixpressError ? error : { code: codeOf(error), file: undefined }
    stdout.write(`${JSON.stringify({ error: { code, message, ...(file !== undefined && { file }) } })}\n`)
  }
  stderr.write(`pixpress: ${visibleText(message)}\n`)
  return exitCodeOf(error)
}

const codeOf = (error: unknown): string => (error instanceof UsageError ? 'USAGE' : 'INTERNAL')

/** Returns whether a program reads the answer. The arguments may be wrong, so they are not parsed for it. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  const own = end === -1 ? args : args.slice(0, end)
  return own.includes('--json') || own.includes('--format=json') || own[own.indexOf('--format') + 1] === 'json'
}

function unknownCommand(name: string): UsageError {
  if (name.startsWith('-')) return unknownFlag(name)
  const near = meantCommand(name) ?? nearest(name, Object.keys(COMMANDS))
  const hint =
    near === undefined
      ? `To compress: 'pixpress compress ${cut(name)}'. All commands: 'pixpress --help'.`
      : `Did you mean '${near}'?`
  return new UsageError(`Unknown command '${cut(name)}'. ${hint}`)
}

/** A flag without a command: there are two, and all others belong to a command. */
function unknownFlag(name: string): UsageError {
  const near = nearest(name.replace(/^-+/, '').replace(/=.*$/s, ''), ['version', 'help'])
  const hint =
    near === undefined ? "Flags stand behind a command: 'pixpress compress --help'." : `Did you mean '--${near}'?`
  return new UsageError(`Unknown option '${cut(name)}'. ${hint}`)
}

/** Names that other programs give to a command. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  compress: ['optimize', 'optimise', 'minify', 'shrink', 'convert', 'resize', 'squeeze', 'build', 'run', 'fix'],
  batch: ['bulk', 'bucket', 's3', 'sync'],
  work: ['worker', 'consume'],
  restore: ['undo', 'revert', 'rollback', 'reset'],
  check: ['lint', 'test', 'ci', 'status'],
  'cache clear': ['clean', 'clear', 'purge'],
  init: ['setup', 'install', 'add', 'create', 'config'],
  doctor: ['info', 'env', 'diagnose', 'debug', 'health'],
  serve: ['server', 'start', 'api', 'dev'],
  audit: ['analyze', 'analyse', 'inspect', 'scan', 'lighthouse'],
  upgrade: ['update'],
}

const meantCommand = (name: string): string | undefined =>
  Object.keys(MEANT).find((command) => MEANT[command]!.includes(name.toLowerCase()))
