import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { UsageError } from '@pixpress/core/internal'
import { HOSTS, HOST_NAMES } from './hosts.ts'
import type { Host, HostName } from './hosts.ts'

/** The bundler or framework of a project. */
export interface FoundHost {
  readonly name: HostName
  readonly host: Host
  /** The configuration's name in the folder; `undefined` where there is none. */
  readonly file: string | undefined
  /** Packages that the project's package.json names. */
  readonly dependencies: ReadonlySet<string>
}

/** Frameworks bring a bundler with a configuration of its own, or hide it. */
const FRAMEWORKS: ReadonlySet<HostName> = new Set(['astro', 'nuxt', 'next', 'eleventy'])

/**
 * @param folder absolute
 * @param named the bundler or framework that was asked for
 * @throws UsageError where there is none, or where several configurations leave it open
 */
export async function findHost(folder: string, named: HostName | undefined): Promise<FoundHost> {
  const dependencies = await dependenciesOf(folder)
  const found = (name: HostName): FoundHost => {
    const host = HOSTS[name]
    return { name, host, file: host.files.find((file) => existsSync(path.join(folder, file))), dependencies }
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
  if (only !== undefined) return only
  throw new UsageError(
    `No bundler was found: no configuration, and none of ${HOST_NAMES.join(', ')} in package.json. Name one with --bundler.`,
  )
}

async function dependenciesOf(folder: string): Promise<ReadonlySet<string>> {
  const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => '{}')
  try {
    const manifest = JSON.parse(text) as Readonly<Record<string, object | undefined>>
    const sections = ['dependencies', 'devDependencies', 'optionalDependencies'].map((name) => manifest[name] ?? {})
    return new Set(sections.flatMap((section) => Object.keys(section)))
  } catch {
    throw new UsageError(`'${path.join(folder, 'package.json')}' is no JSON: correct it, and run the command again.`)
  }
}

/** Returns the command that installs a package here, by the lock file of the folder or of one above it. */
export function installCommand(folder: string, name: string): string {
  for (let at = folder; ; at = path.dirname(at)) {
    const [, command] = INSTALLERS.find(([lock]) => existsSync(path.join(at, lock))) ?? []
    if (command !== undefined) return `${command} ${name}`
    if (at === path.dirname(at)) return `npm install --save-dev ${name}`
  }
}

const INSTALLERS = [
  ['pnpm-lock.yaml', 'pnpm add --save-dev'],
  ['yarn.lock', 'yarn add --dev'],
  ['bun.lock', 'bun add --dev'],
  ['bun.lockb', 'bun add --dev'],
  ['package-lock.json', 'npm install --save-dev'],
] as const
