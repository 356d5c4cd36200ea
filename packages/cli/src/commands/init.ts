import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { describeFlags, oneOf, parseFlags, UsageError } from '@pixpress/core/internal'
import type { Flag, Flags } from '@pixpress/core/internal'
import { EXIT, ownVersion } from '../base/exit.ts'
import { moduleUse, planMigrations, toolUse, TOOLS } from '@pixpress/migrate'
import type { Use } from '@pixpress/migrate'
import {
  addPlugin,
  findHost,
  installCommand,
  HOST_NAMES,
  linesFor,
  oldPackages,
  oldSentence,
  scriptKind,
  stayingImages,
  stayingSentence,
} from '@pixpress/migrate/init'
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

A configuration that is not understood is left as it is: the lines to add are printed, and the command ends with code 1. So is that of a project that uses another plugin for images: \`pixpress migrate\` replaces it, or says what to write.

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
  const { host } = found
  const old = await oldPackages(folder, host)
  if (old.length > 0) {
    stdout.write(`${host.title}: nothing is changed.\n${old.map((each) => `  ${oldSentence(each)}\n`).join('')}`)
    return EXIT.failed
  }
  const other = await toolUse(folder, Object.values(TOOLS))
  if (other !== undefined) {
    stdout.write(`${await besideOther(folder, found, other, named)}\n`)
    return EXIT.failed
  }
  const { paragraphs, done } = await changeAndTell(folder, found, flags['dry-run'] === true)
  const last = done ? endingOf(paragraphs.pop()!) : `${paragraphs.pop()!}\n`
  stdout.write([...paragraphs, last].join('\n\n'))
  return done ? EXIT.ok : EXIT.failed
}

/** Changes the configuration, and says so, with the images that stay with another plugin and what is left to do. */
async function changeAndTell(
  folder: string,
  found: FoundHost,
  dryRun: boolean,
): Promise<{ readonly paragraphs: string[]; readonly done: boolean }> {
  const { host, dependencies } = found
  const { text, done } = await change(folder, found, dryRun)
  const staying = (await stayingImages(folder)).map(stayingSentence)
  const install = dependencies.has(host.install) ? [] : [`Install it: ${installCommand(folder, host.install)}`]
  return { paragraphs: [...text.slice(0, -1), ...staying, ...text.slice(-1), ...install], done }
}

/**
 * Tells what `pixpress init` would do in a folder, without doing it. Where it can do nothing, that is said too.
 * @param folder absolute
 */
export async function initPreview(folder: string): Promise<string> {
  try {
    const found = await findHost(folder, undefined)
    const old = await oldPackages(folder, found.host)
    if (old.length > 0) return old.map(oldSentence).join('\n')
    return (await changeAndTell(folder, found, true)).paragraphs.join('\n\n')
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
}

/** Two plugins in one build would work on each other's results, so ours is not added beside another. */
async function besideOther(folder: string, { host }: FoundHost, other: Use, named: string): Promise<string> {
  const { specifier, file, line } = other
  const command = `npx pixpress migrate${named === '.' ? '' : ` ${named}`}`
  const ours = await ownUse(folder, host)
  const remedy = (await isReplaced(folder, specifier))
    ? `which '${command} --write' replaces`
    : `which is to be replaced by hand: '${command}' says how`
  const found = `'${specifier}' (${file}:${line}), ${remedy}`
  return ours === undefined
    ? `${host.title}: nothing is changed, as the project uses ${found}.`
    : `${host.title}: pixpress is in '${ours.file}' already, beside ${found}.`
}

/** Tells whether `pixpress migrate` would change anything, as it leaves alone what it does not understand. */
async function isReplaced(folder: string, specifier: string): Promise<boolean> {
  const tools = Object.values(TOOLS).filter(({ packages }) => Object.hasOwn(packages, specifier))
  const { changes } = await planMigrations(folder, tools, { version: `^${ownVersion()}`, endpoint: undefined })
  return changes.length > 0
}

/** Where a script of the project loads our plugin, be it the configuration or one that it is made of. */
const ownUse = async (folder: string, { module, install }: FoundHost['host']): Promise<Use | undefined> =>
  moduleUse(folder, [install, ...(module === undefined ? [] : [module.specifier])])

interface Outcome {
  /** Paragraphs. */
  readonly text: string[]
  /** False if something is left to be done by hand. */
  readonly done: boolean
}

async function change(folder: string, found: FoundHost, dryRun: boolean): Promise<Outcome> {
  const { host, file, dependencies, scripts } = found
  const shown = file ?? host.newFile
  const isNew = file === undefined
  const before = isNew ? '' : await readFile(path.join(folder, file), 'utf8')
  const kind = shown === undefined ? (host.newKind ?? scripts) : scriptKind(shown, before, scripts)
  const present = (where: string): Outcome => {
    const rest = dependencies.has(host.install) ? 'nothing to do' : 'nothing to change'
    return { text: [`${host.title}: pixpress is in '${where}' already, ${rest}.`], done: true }
  }
  const byHand = async (why: string): Promise<Outcome> => {
    const use = await ownUse(folder, host)
    if (use !== undefined) return present(use.file)
    const lines = linesFor(host, kind).map((line) => `  ${line}`)
    return { text: [`${host.title}: ${why}. To add:`, lines.join('\n')], done: false }
  }
  if (shown === undefined) return byHand('there is no configuration to change')
  if (host.edit === undefined) return byHand(`'${shown}' is not changed by this command`)
  const addition: Addition = isNew
    ? { state: 'added', text: newConfiguration(linesFor(host, kind)) }
    : addPlugin(before, host.edit, host.module)
  if (addition.state === 'present') return present(shown)
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
