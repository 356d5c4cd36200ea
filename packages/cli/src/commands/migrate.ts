import { stat } from 'node:fs/promises'
import path from 'node:path'
import { baseUrl, describeFlags, nearest, parseFlags, UsageError } from '@pixpress/core/internal'
import { EXIT, ownVersion } from '../base/exit.ts'
import { changedLines, writeText } from '@pixpress/migrate/script'
import { packagesIn, planMigrations, toolsIn, TOOLS } from '@pixpress/migrate'
import type { FileChange, Migration, Note, ToolName } from '@pixpress/migrate'
import { HOSTS, oldPackages, oldSentence } from '@pixpress/migrate/init'
import type { HostName } from '@pixpress/migrate/init'
import { initPreview } from './init.ts'
import { endingOf } from '../base/output.ts'
import type { Surroundings } from '../base/output.ts'

/** Flags of `pixpress migrate`. */
export const MIGRATE_FLAGS = {
  write: { description: 'makes the changes, instead of printing them only' },
  endpoint: { value: 'URL', description: 'with `tinify`: the service that images go on being sent to' },
  json: { description: 'the changes as JSON' },
  help: { short: 'h', description: 'this text' },
} as const

const NAMES = Object.keys(TOOLS) as readonly ToolName[]

const HELP = `Shows what has to change in a project that uses another plugin: configuration, package.json, queries of images.

  pixpress migrate [${NAMES.join('|')}] [folder] [options]

Without a name, every plugin of these that the project uses is replaced. What is not certain is never changed: it is named with file and line, and the command ends with code 1. Nothing is changed while a bundler is too old. A project that uses none of them is told what \`pixpress init\` would do.

${describeFlags(MIGRATE_FLAGS)}
`

/** `pixpress migrate [TOOL] [folder]`. @throws UsageError for an unknown tool, or a folder that is none */
export async function migrate(args: readonly string[], { cwd, stdout }: Surroundings): Promise<number> {
  const { flags, positionals } = parseFlags(args, MIGRATE_FLAGS)
  if (flags.help) {
    stdout.write(HELP)
    return EXIT.ok
  }
  const { name, folder } = readArguments(positionals)
  if (flags.endpoint !== undefined && name !== undefined && name !== 'tinify')
    throw new UsageError("--endpoint is for 'pixpress migrate tinify'.")
  const endpoint = flags.endpoint === undefined ? undefined : baseUrl(flags.endpoint, { encrypted: true })
  if (flags.endpoint !== undefined && endpoint === undefined) {
    throw new UsageError(`Expected an https URL for '--endpoint' but received '${flags.endpoint}'.`)
  }
  const root = path.resolve(cwd, folder)
  if (!(await stat(root).catch(() => undefined))?.isDirectory()) {
    const also = name === undefined ? `, and none of ${NAMES.join(', ')}` : ''
    throw new UsageError(`'${folder}' is no folder${also}.`)
  }
  const names = name === undefined ? await toolsIn(root, TOOLS) : [name]
  const tools = names.map((each) => TOOLS[each])
  const planned = await planMigrations(root, tools, { version: `^${ownVersion()}`, endpoint })
  const old = await oldHosts(root, planned)
  // A working build must not lose its tool for one that refuses to start.
  const migration = old.length === 0 ? planned : { ...planned, changes: [], byHand: [...old, ...planned.byHand] }
  const { changes, byHand } = migration
  if (changes.length === 0 && byHand.length === 0) {
    const looked = name === undefined ? Object.values(TOOLS) : tools
    const packages = looked.flatMap((tool) => Object.keys(tool.packages))
    const nothing = `Nothing of ${packages.join(', ')} is used in '${folder}'.`
    const preview = (): Promise<string> => initPreview(root)
    stdout.write(
      flags.json ? `${JSON.stringify(asData(migration))}\n` : `${nothing}\n\n${asInit(await preview(), folder)}`,
    )
    return EXIT.ok
  }
  const replaced = name === undefined && old.length === 0 ? await packagesIn(root, tools) : []
  if (flags.write) for (const { file, after } of changes) await writeText(root, file, after)
  stdout.write(
    flags.json ? `${JSON.stringify(asData(migration))}\n` : asText(migration, flags.write === true, replaced),
  )
  return byHand.length === 0 ? EXIT.ok : EXIT.failed
}

/** Finds bundlers that are too old for the plugin, of the configurations that would change. */
async function oldHosts(root: string, { changes }: Migration): Promise<readonly Note[]> {
  const found = new Map<string, Note>()
  for (const { file, after } of changes) {
    for (const { index, 1: name = '' } of after.matchAll(/["']unplugin-pixpress\/([a-z]+)["']/g)) {
      if (!Object.hasOwn(HOSTS, name)) continue
      const line = after.slice(0, index).split('\n').length
      for (const each of await oldPackages(path.join(root, path.dirname(file)), HOSTS[name as HostName]))
        found.set(`${each.name} ${each.found}`, { file, line, text: oldSentence(each) })
    }
  }
  return [...found.values()]
}

/** @param preview what `pixpress init` would do */
const asInit = (preview: string, folder: string): string =>
  `'npx pixpress init${folder === '.' ? '' : ` ${folder}`}' adds the plugin to a project without one. It says here:\n\n${preview}\n`

/** A tool and a folder, either of which may be left out. @throws UsageError */
function readArguments(positionals: readonly string[]): { name: ToolName | undefined; folder: string } {
  const [first, second, ...others] = positionals
  const isName = first !== undefined && Object.hasOwn(TOOLS, first)
  if (others.length === 0 && isName) return { name: first as ToolName, folder: second ?? '.' }
  const near = first === undefined ? undefined : nearest(first, NAMES)
  const isFolder = first === undefined || near === undefined || /[./\\]/.test(first)
  if (second === undefined && isFolder) return { name: undefined, folder: first ?? '.' }
  const hint = near === undefined ? '' : ` Did you mean '${near}'?`
  throw new UsageError(`Expected one of ${NAMES.join(', ')}: pixpress migrate imagetools.${hint}`)
}

function asData({ changes, leftOut, byHand }: Migration): object {
  return {
    changes: changes.map(({ file, before, after }) => ({ file, lines: changedLines(before, after) })),
    leftOut,
    byHand,
  }
}

/** @param replaced packages that were found where none was named */
function asText({ changes, leftOut, byHand }: Migration, written: boolean, replaced: readonly string[]): string {
  const blocks = [
    ...(replaced.length === 0 ? [] : [`In place of ${replaced.join(', ')}: unplugin-pixpress.`]),
    ...changes.map(asDiff),
    ...notes('Left out:', leftOut),
    ...notes('To do by hand:', byHand),
    ...(changes.some(({ after }) => after.includes("compat: 'imagetools'")) ? [COMPARED] : []),
    endingOf(summary(changes.length, byHand.length, written)).trimEnd(),
  ]
  return `${blocks.join('\n\n')}\n`
}

const COMPARED =
  "To compare each image with what vite-imagetools made of it, in bytes and in score, build once with 'report: { baseline: true }'."

function asDiff({ file, before, after }: FileChange): string {
  const lines = changedLines(before, after).map(({ line, sign, text }) => `${String(line).padStart(5)} ${sign} ${text}`)
  return [file, ...lines].join('\n')
}

function notes(title: string, all: readonly Note[]): string[] {
  return all.length === 0
    ? []
    : [[title, ...all.map(({ file, line, text }) => `  ${file}:${line}  ${text}`)].join('\n')]
}

function summary(files: number, left: number, written: boolean): string {
  const count = `${files} ${files === 1 ? 'file' : 'files'}`
  if (files === 0) return 'No file is changed before that is done.'
  if (!written) return `${count} would change; '--write' makes it so.`
  const next = 'Install the packages, and build: what was forgotten is named then.'
  return left === 0 ? `${count} changed. ${next}` : `${count} changed; the rest is to be done by hand. ${next}`
}
