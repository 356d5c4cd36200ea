import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { installCommand } from './find-host.ts'
import type { Host } from './hosts.ts'

/** A package of a bundler or framework that is too old for the plugin. */
export interface OldPackage {
  readonly name: string
  /** The version that is installed, or else the range of the manifest. */
  readonly found: string
  readonly isInstalled: boolean
  /** Major and minor version. */
  readonly least: string
  /** The command that updates it. */
  readonly update: string
}

/**
 * Finds the packages of a host that are too old: by what is installed in the folder or above, or else by what the
 * nearest manifest that names them would install. A range that does not tell is none.
 * @param folder absolute
 */
export async function oldPackages(folder: string, { needs }: Pick<Host, 'needs'>): Promise<readonly OldPackage[]> {
  const old: OldPackage[] = []
  for (const [name, least] of Object.entries(needs)) {
    const installed = await versionInstalled(folder, name)
    const found = installed ?? (await wantedRange(folder, name))
    if (found === undefined || isEnough(installed === undefined ? newestOf(found) : versionOf(found), least)) continue
    const update = installCommand(folder, `${name}@${least.split('.')[0]!}`)
    old.push({ name, found, isInstalled: installed !== undefined, least, update })
  }
  return old
}

/** Returns a sentence about a package that is too old, with what to do. */
export function oldSentence({ name, found, isInstalled, least, update }: OldPackage): string {
  const has = isInstalled ? `${name} ${found} is installed` : `package.json asks for ${name} ${found}`
  return `${has}, and pixpress needs ${least} or newer. Update it first: ${update}`
}

/** The version of a package as a project sees it, in its own folder or one above. */
export async function versionInstalled(folder: string, name: string): Promise<string | undefined> {
  const place = placeInPnp(folder, name)
  const [from, file] = place === undefined ? [folder, path.join('node_modules', name)] : [place, '']
  const found = await upwards(from, path.join(file, 'package.json'), ({ version }) => version)
  return typeof found === 'string' ? found : undefined
}

/** The folder of a package under Yarn's Plug'n'Play, which has no `node_modules`. */
function placeInPnp(folder: string, name: string): string | undefined {
  if (process.versions['pnp'] === undefined) return undefined
  const require = createRequire(path.join(folder, 'package.json'))
  try {
    const { resolveToUnqualified } = require('pnpapi') as {
      resolveToUnqualified(name: string, importer: string): string | null
    }
    return resolveToUnqualified(name, folder + path.sep) ?? undefined
  } catch {
    // No package of this project may import it.
    return undefined
  }
}

const SECTIONS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const

async function wantedRange(folder: string, name: string): Promise<string | undefined> {
  const found = await upwards(folder, 'package.json', (manifest) =>
    SECTIONS.map((section) => (manifest[section] as Record<string, unknown> | undefined)?.[name]).find(
      (range) => range !== undefined,
    ),
  )
  return typeof found === 'string' ? found : undefined
}

/** Reads a manifest of a folder and of those above until it says something. */
async function upwards(
  folder: string,
  file: string,
  read: (manifest: Readonly<Record<string, unknown>>) => unknown,
): Promise<unknown> {
  for (let at = folder; ; at = path.dirname(at)) {
    try {
      const found = read(JSON.parse(await readFile(path.join(at, file), 'utf8')) as Record<string, unknown>)
      if (found !== undefined) return found
    } catch {
      // The folder has no such file, or one that says nothing.
    }
    if (at === path.dirname(at)) return undefined
  }
}

type Version = readonly [major: number, minor: number]

const NEWEST: Version = [Infinity, Infinity]

function versionOf(text: string): Version | undefined {
  const [, major, minor] = /^[v=\s]*(\d+)(?:\.(\d+))?/.exec(text) ?? []
  return major === undefined ? undefined : [Number(major), minor === undefined ? Infinity : Number(minor)]
}

/** The newest version that a range allows; `undefined` where it does not tell, as `catalog:` and addresses do. */
function newestOf(range: string): Version | undefined {
  const alternatives = range.replace(/^npm:(?:@[^@]+|[^@]+)@/, '').split('||')
  return alternatives
    .map((each) => newestOfComparators(each.trim()))
    .reduce((a, b) => (a === undefined || b === undefined ? undefined : isNewer(a, b) ? a : b))
}

/** `^4.5`, `~5.2.0`, `>=4 <5`, `4 - 5`, `4.x`. */
function newestOfComparators(text: string): Version | undefined {
  if (text === '' || text === '*' || text === 'x') return NEWEST
  const last = text.split(/\s+-\s+|(?<=[\dx*])\s+/).at(-1)!
  const [, sign = '', rest = ''] = /^(\^|~|>=|>|<=|<|=|v)?\s*(\d.*)$/.exec(last) ?? []
  const version = versionOf(rest)
  if (version === undefined) return undefined
  const [major, minor] = version
  if (sign === '>=' || sign === '>') return NEWEST
  // `<5` and `<5.0.0` end with the newest of 4, `<5.4` with the newest of 5.3.
  if (sign === '<') return minor > 0 && minor !== Infinity ? [major, minor - 1] : [major - 1, Infinity]
  return sign === '^' && major > 0 ? [major, Infinity] : version
}

const isNewer = ([major, minor]: Version, [otherMajor, otherMinor]: Version): boolean =>
  major > otherMajor || (major === otherMajor && minor >= otherMinor)

const isEnough = (version: Version | undefined, least: string): boolean =>
  version === undefined || isNewer(version, versionOf(least)!)
