import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { describeFlags, oneOf, parseFlags, UsageError } from '@pixpress/core/internal'
import type { Flag, Flags } from '@pixpress/core/internal'
import { EXIT } from '../base/exit.ts'
import { addPlugin, findHost, installCommand, HOST_NAMES } from '@pixpress/migrate/init'
import type { Addition, FoundHost } from '@pixpress/migrate/init'
import { changedLines, writeText } from '@pixpress/migrate/script'
import { endingOf } from '../base/output.ts'
import type { Surroundings } from '../base/output.ts'

interface InitFlags {
  readonly bundler: Flag & { readonly value: string }
  readonly 'dry-run': Flag & { readonly value?: never }
  readonly help: Flag & { readonly value?: never }
}

/** Flags of `pixpress init`. */
export const INIT_FLAGS: Flags & InitFlags = {
  bundler: {
    value: 'NAME',
    description: `what the project is built with, where that is not found: ${HOST_NAMES.map((name) => `\`${name}\``).join(', ')}`,
    choices: HOST_NAMES,
  },
  'dry-run': { short: 'n', description: 'shows the change, and writes nothing' },
  help: { short: 'h', description: 'this text' },
}

const HELP = `Writes the plugin into the configuration of the project's bundler or framework, and shows what it has changed.

  pixpress init [folder] [options]

A configuration that is not understood is left as it is: the lines to add are printed, and the command ends with code 1.

${describeFlags(INIT_FLAGS)}
`

/** `pixpress init [folder]`. @throws UsageError where no bundler is found, or several are */
export async function init(args: readonly string[], { cwd, stdout }: Surroundings): Promise<number> {
  const { flags, positionals } = parseFlags(args, INIT_FLAGS)
  if (flags.help) {
    stdout.write(HELP)
    return EXIT.ok
  }
  const [named = '.', ...others] = positionals
  if (others.length > 0) throw new UsageError('Expected one folder: pixpress init web.')
  const folder = path.resolve(cwd, named)
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw new UsageError(`'${named}' is no folder.`)
  const bundler = flags.bundler === undefined ? undefined : oneOf(HOST_NAMES).parse(flags.bundler, '--bundler')
  const found = await findHost(folder, bundler)
  const { host, dependencies } = found
  const { text, done } = await change(folder, found, flags['dry-run'] === true)
  const isInstalled = dependencies.has(host.install)
  const next = isInstalled ? [] : [`Install it: ${installCommand(folder, host.install)}`]
  const paragraphs = [...text, ...next]
  const last = done ? endingOf(paragraphs.pop()!) : `${paragraphs.pop()!}\n`
  stdout.write([...paragraphs, last].join('\n\n'))
  return done ? EXIT.ok : EXIT.failed
}

/** @returns paragraphs of the answer, and whether nothing is left to be done by hand */
async function change(
  folder: string,
  { host, file, dependencies }: FoundHost,
  dryRun: boolean,
): Promise<{ text: string[]; done: boolean }> {
  const shown = file ?? host.newFile
  const byHand = (why: string): { text: string[]; done: boolean } => ({
    text: [`${host.title}: ${why}. To add:`, host.lines.map((line) => `  ${line}`).join('\n')],
    done: false,
  })
  if (shown === undefined) return byHand('there is no configuration to change')
  if (host.edit === undefined) return byHand(`'${shown}' is not changed by this command`)
  const before = file === undefined ? '' : await readFile(path.join(folder, file), 'utf8')
  const isNew = file === undefined
  const addition: Addition = isNew
    ? { state: 'added', text: newConfiguration(host.lines) }
    : addPlugin(before, host.edit)
  if (addition.state === 'present') {
    const text = dependencies.has(host.install) ? 'nothing to do' : 'nothing to change'
    return { text: [`${host.title}: pixpress is in '${shown}' already, ${text}.`], done: true }
  }
  if (addition.state === 'unclear') return byHand(`'${shown}' is left as it is, as ${addition.why}`)
  if (!dryRun) await writeText(folder, shown, addition.text, isNew ? undefined : await modeOf(folder, shown))
  const lines = changedLines(before, addition.text).filter(({ text }) => !isNew || text !== '')
  const diff = lines.map(({ line, sign, text }) => `${String(line).padStart(5)} ${sign} ${text}`)
  const verb = isNew ? (dryRun ? 'would be made' : 'was made') : dryRun ? 'would change' : 'was changed'
  return { text: [[shown, ...diff].join('\n'), `${host.title}: '${shown}' ${verb}.`], done: true }
}

/** Makes a configuration of an import and a member. */
const newConfiguration = ([statement = '', member = '']: readonly string[]): string =>
  `${statement}\n\nexport default { ${member} }\n`

const modeOf = async (folder: string, file: string): Promise<number> =>
  (await stat(path.join(folder, file))).mode & 0o777
