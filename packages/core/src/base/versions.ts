import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { PixpressError } from './errors.ts'
import { adding, codecFault } from './faults.ts'

/**
 * Raised whenever the engine's own decisions change, so that results made by older decisions are not taken for new
 * ones.
 */
export const ENGINE_REVISION = 28

/** The same for what is done to an SVG alone: a part of the identity of SVG inputs. */
export const SVG_RULES = 'svg 3'

/**
 * The package that decodes HEIC, which users install beside pixpress. Patents cover the codec inside, HEVC, so that
 * neither sharp's libvips nor any browser but Safari has it.
 */
export const HEIC_DECODER = 'heic-decode'

const require = createRequire(import.meta.url)

/** The packages that work on images, by their names in cache keys, with the versions that fit: those of package.json. */
export const CODEC_RANGES: Readonly<Record<string, readonly [name: string, range: string]>> = {
  sharp: ['sharp', '^0.35.5'],
  png: ['@napi-rs/image', '^1.15.0'],
  svgo: ['svgo', '^4.1.0'],
  jxl: ['@jsquash/jxl', '^1.3.0'],
}

let versions: Readonly<Record<string, string | number>> | undefined

/**
 * Returns the versions that decide the bytes of a result, for the cache key. Read from the packages' manifests: loading
 * the encoders themselves would cost every warm build tens of milliseconds. sharp's version pins the codecs it ships.
 * @throws PixpressError `MACHINE_UNFIT` where one is not installed, or in a version that does not fit
 */
export function engineVersions(): Readonly<Record<string, string | number>> {
  return (versions ??= readVersions())
}

function readVersions(): Readonly<Record<string, string | number>> {
  const found: Record<string, string> = {}
  const wrong: InstalledPackage[] = []
  for (const [key, [name, range]] of Object.entries(CODEC_RANGES)) {
    const installed = installedPackage(name)
    found[key] = installed.version
    if (!fits(installed.version, range)) wrong.push(installed)
  }
  if (wrong.length > 0) throw misfit(wrong)
  return { engine: ENGINE_REVISION, ...found }
}

interface InstalledPackage {
  readonly name: string
  readonly version: string
  readonly folder: string
}

/** Package managers bring versions that fit, unless a project says otherwise. */
function misfit(wrong: readonly InstalledPackage[]): PixpressError {
  const rangeOf = (wanted: string): string => Object.values(CODEC_RANGES).find(([name]) => name === wanted)![1]
  const facts = wrong.map(({ name, version, folder }) => `${name} ${version} is in ${folder}, pixpress needs ${rangeOf(name)}`)
  const names = wrong.map(({ name }) => `'${name}'`).join(' and ')
  const command = adding(wrong.map(({ name }) => `"${name}@${rangeOf(name)}"`).join(' '))
  const error = new PixpressError(
    'MACHINE_UNFIT',
    `${facts.join('; ')}. Remove ${names} from "overrides" or "resolutions" in package.json if it is there, and run: ${command}`,
  )
  // Bundlers show the stack of errors in a configuration, and the place in this package tells nobody anything.
  error.stack = `PixpressError: ${error.message}`
  return error
}

/** Tells whether a version is in a range of the form `^1.2.3`. One that is not numbers is not refused. */
export function fits(version: string, range: string): boolean {
  const [found, least] = [version, range].map((text) => text.replace(/^\^|[-+].*$/g, '').split('.').map(Number))
  if (found!.length !== 3 || found!.some(Number.isNaN)) return true
  const [at] = [...least!.entries()].find(([, part]) => part > 0)!
  for (const [place, part] of found!.entries()) {
    if (part !== least![place]) return place > at && part > least![place]!
  }
  return true
}

/** Returns the versions that decide the pixels of a HEIC, a part of its identity; none without a decoder. */
export function heicRules(): readonly string[] {
  try {
    const own = require.resolve(`${HEIC_DECODER}/package.json`)
    const library = createRequire(own).resolve('libheif-js/package.json')
    return [own, library].map((file) => `${path.basename(path.dirname(file))} ${readManifest(file)?.version}`)
  } catch {
    return []
  }
}

/** @throws PixpressError `MACHINE_UNFIT` where it is not installed */
function installedPackage(name: string): InstalledPackage {
  try {
    for (let folder = path.dirname(require.resolve(name)); ; folder = path.dirname(folder)) {
      const { version } = readManifest(path.join(folder, 'package.json')) ?? {}
      // An alias has another name in its manifest than the folder that it is in.
      if (version !== undefined) return { name, version, folder }
      if (folder === path.dirname(folder)) return { name, version: 'unknown', folder }
    }
  } catch (error) {
    throw codecFault(error) ?? error
  }
}

function readManifest(file: string): { name?: string; version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string }
  } catch {
    // Some folders on the way up have no manifest.
    return undefined
  }
}
