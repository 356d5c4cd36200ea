import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describeFlags, parseFlags, UsageError } from '@pixpress/core/internal'
import { loadConfig } from '../base/config.ts'
import { EXIT } from '../base/exit.ts'
import { endingOf } from '../base/output.ts'
import type { Surroundings } from '../base/output.ts'

/** Flags of `pixpress types`. */
export const TYPES_FLAGS = {
  check: { description: 'writes nothing; ends with code 1 when the file is not up to date' },
  config: { value: 'FILE', description: 'the configuration file (default: the nearest `pixpress.config`)' },
  help: { short: 'h', description: 'this text' },
} as const

const HELP = `Writes the types of every image import with a query, as the plugin's option 'types' keeps them.

  pixpress types [FILE] [options]

FILE is 'types' of the configuration by default. Without a configuration file, the options are those that FILE was written with.

${describeFlags(TYPES_FLAGS)}
`

/** The functions of the project's own `unplugin-pixpress/types` that are used here. */
interface TypesModule {
  writeTypes(settings: {
    root: string
    file: string
    options?: object | undefined
    check?: boolean | undefined
  }): Promise<{ changed: boolean; queries: number; problems: readonly string[] }>
}

/** `pixpress types [FILE]`. @throws UsageError where no file is named, or the plugin is not installed */
export async function types(args: readonly string[], { cwd, stdout, stderr }: Surroundings): Promise<number> {
  const { flags, positionals } = parseFlags(args, TYPES_FLAGS)
  if (flags.help) {
    stdout.write(HELP)
    return EXIT.ok
  }
  const [named, ...others] = positionals
  if (others.length > 0) throw new UsageError('Expected one file: pixpress types src/pixpress.d.ts.')
  const { config, file: configFile } = await loadConfig(cwd, flags.config)
  // Paths of a configuration are relative to its folder's root, those of a command line to where it is written.
  const root = path.resolve(configFile === undefined ? cwd : path.dirname(configFile), config.root ?? '')
  const file = named === undefined ? config.types && path.resolve(root, config.types) : path.resolve(cwd, named)
  if (file === undefined) {
    throw new UsageError(
      "Expected the file of the types: pixpress types src/pixpress.d.ts, or 'types' in pixpress.config.",
    )
  }
  const { writeTypes } = await loadPlugin(root)
  const options = configFile === undefined ? undefined : config
  const { changed, queries, problems } = await writeTypes({ root, file, options, check: flags.check })
  const shown = path.relative(cwd, file)
  for (const problem of problems) stderr.write(`${problem}\n`)
  const count = `${queries} ${queries === 1 ? 'query' : 'queries'}`
  const isDue = changed && flags.check === true
  if (isDue) stderr.write(`${shown} is not up to date: run 'pixpress types'.\n`)
  else stdout.write(endingOf(`${shown}: ${count}, ${changed ? 'written' : 'up to date'}`))
  return isDue || problems.length > 0 ? EXIT.failed : EXIT.ok
}

/** The plugin of the project, else one beside the command. */
async function loadPlugin(root: string): Promise<TypesModule> {
  for (const from of [path.join(root, 'package.json'), import.meta.url]) {
    try {
      const file = createRequire(from).resolve('unplugin-pixpress/types')
      return (await import(pathToFileURL(file).href)) as TypesModule
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error
    }
  }
  throw new UsageError("The types are the plugin's: install unplugin-pixpress in the project.")
}
