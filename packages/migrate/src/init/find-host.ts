import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { projectFolder, UsageError } from '@pixpress/core/internal'
import { HOSTS, HOST_NAMES } from './hosts.ts'
import type { Host, HostName } from './hosts.ts'
import type { ScriptKind } from './script-kind.ts'

/** The bundler or framework of a project. */
export interface FoundHost {
  readonly name: HostName
  readonly host: Host
  /** The configuration's name in the folder; `undefined` where there is none. */
  readonly file: string | undefined
  /** Packages that the project's package.json names. */
  readonly dependencies: ReadonlySet<string>
  /** Kind of the scripts in the folder whose name ends in `.js`. */
  readonly scripts: ScriptKind
}

/** Thrown for a create-react-app without craco, whose bundler has no configuration that could take a plugin. */
export class ClosedHostError extends UsageError {}

/** Frameworks bring a bundler with a configuration of its own, or hide it. */
const FRAMEWORKS: ReadonlySet<HostName> = new Set(['astro', 'nuxt', 'next', 'eleventy'])

/**
 * @param folder absolute
 * @param named the bundler or framework that was asked for
 * @throws UsageError where there is none, or where several configurations leave it open; ClosedHostError where the
 * one that there is takes no plugins
 */
export async function findHost(folder: string, named: HostName | undefined): Promise<FoundHost> {
  const dependencies = dependenciesOf(await manifestOf(folder))
  const scripts = await kindOfScripts(folder)
  const found = (name: HostName): FoundHost => {
    const host = HOSTS[name]
    return { name, host, file: host.files.find((file) => existsSync(path.join(folder, file))), dependencies, scripts }
  }
  if (named !== undefined) return found(named)
  const isUsed = ({ host }: FoundHost): boolean => host.packages.some((each) => dependencies.has(each))
  const all = HOST_NAMES.map(found)
  const framework = all.find((each) => FRAMEWORKS.has(each.name) && (each.file !== undefined || isUsed(each)))
  if (framework !== undefined) return framework
  const configured = all.filter(({ file }) => file !== undefined)
  if (configured.length > 1) {
    const files = configured.map(({ file }) => `'${file}'`).join(' and ')
    throw new UsageError(`There are ${files}: say which with --bundler ${configured[0]!.name}.`)
  }
  const [only] = [...configured, ...all.filter(isUsed)]
  // A webpack without a configuration is the one that react-scripts brings.
  const isClosed = only === undefined || (only.name === 'webpack' && only.file === undefined)
  if (isClosed && dependencies.has('react-scripts')) {
    throw new ClosedHostError(
      "create-react-app has no configuration that takes plugins: add '@craco/craco' and run this command again, or compress the files with 'npx pixpress compress'.",
    )
  }
  if (only !== undefined) return only
  throw new UsageError(
    `No bundler was found: no configuration, and none of ${HOST_NAMES.join(', ')} in package.json. Name one with --bundler.`,
  )
}

type Manifest = Readonly<Record<string, object | string | undefined>>

/** The package.json of a folder; nothing where there is none. @throws UsageError where it is no JSON */
async function manifestOf(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => '{}')
  try {
    return JSON.parse(text) as Manifest
  } catch {
    throw new UsageError(`'${path.join(folder, 'package.json')}' is no JSON: correct it, and run the command again.`)
  }
}

function dependenciesOf(manifest: Manifest): ReadonlySet<string> {
  const sections = ['dependencies', 'devDependencies', 'optionalDependencies'].map((name) => manifest[name] ?? {})
  return new Set(sections.flatMap((section) => Object.keys(section)))
}

/** Node takes it from the nearest package.json. */
async function kindOfScripts(folder: string): Promise<ScriptKind> {
  const owner = projectFolder(folder)
  const { type } = owner === undefined ? {} : await manifestOf(owner)
  return type === 'module' ? 'esm' : 'commonjs'
}

/**
 * Returns the command that installs a package here, by the lock file of the folder or of one above it.
 * @param name Default: all that the manifest names
 */
export function installCommand(folder: string, name?: string): string {
  for (let at = folder; ; at = path.dirname(at)) {
    const [, command] = INSTALLERS.find(([lock]) => existsSync(path.join(at, lock))) ?? []
    if (command === undefined && at !== path.dirname(at)) continue
    const add = command ?? 'npm install --save-dev'
    return name === undefined ? `${add.split(' ')[0]} install` : `${add} ${name}`
  }
}

const INSTALLERS = [
  ['pnpm-lock.yaml', 'pnpm add --save-dev'],
  ['yarn.lock', 'yarn add --dev'],
  ['bun.lock', 'bun add --dev'],
  ['bun.lockb', 'bun add --dev'],
  ['package-lock.json', 'npm install --save-dev'],
] as const
