import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { PixpressError } from './errors.ts'
import { adding, codecFault } from './faults.ts'

/**
 * Raised whenever the engine's own decisions change, so that results made by older decisions are not taken for new
 * ones.
 */
export const ENGINE_REVISION = 31

/** The same for what is done to an SVG alone: a part of the identity of SVG inputs. */
export const SVG_RULES = 'svg 5'

/** The same for the choice among several types: a part of the identity of requests that name more than one. */
export const CHOICE_RULES = 'choice 1'

/**
 * The same for own forms that are tried beside a list: of every GIF, and of a changed image beside one type. A part of
 * the identity of those.
 */
export const OWN_FORM_RULES = 'own form 1'

/**
 * The package that decodes HEIC, which users install beside pixpress. Patents cover the codec inside, HEVC, so that
 * neither sharp's libvips nor any browser but Safari has it.
 */
export const HEIC_DECODER = 'heic-decode'

const require = createRequire(import.meta.url)

/** The packages that work on images, by their names in cache keys, with the ranges of package.json. */
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
  const installed = Object.entries(CODEC_RANGES).map(([key, row]) => [key, installedPackage(...row)] as const)
  requireFitting(installed.map(([, each]) => each))
  return { engine: ENGINE_REVISION, ...Object.fromEntries(installed.map(([key, { version }]) => [key, version])) }
}

/** A package that works on images, as it is installed. */
export interface InstalledPackage {
  readonly name: string
  readonly range: string
  readonly version: string
  readonly folder: string
}

/**
 * Refuses versions that do not fit. Package managers bring those that do, unless a project says otherwise.
 * @throws PixpressError `MACHINE_UNFIT` naming all of them
 */
export function requireFitting(installed: readonly InstalledPackage[]): void {
  const wrong = installed.filter(({ version, range }) => !fits(version, range))
  if (wrong.length === 0) return
  const facts = wrong.map((each) => `${each.name} ${each.version} is in ${each.folder}, pixpress needs ${each.range}`)
  const names = wrong.map(({ name }) => `'${name}'`).join(' and ')
  const command = adding(wrong.map(({ name, range }) => `"${name}@${range}"`).join(' '))
  const mend = `Remove ${names} from "overrides" or "resolutions" in package.json if it is there, and run: ${command}`
  throw new PixpressError('MACHINE_UNFIT', `${facts.join('; ')}. ${mend}`)
}

/** Tells whether a version is in a range of the form `^1.2.3`. One that is not numbers is not refused. */
export function fits(version: string, range: string): boolean {
  const [found, least] = [version, range].map((text) =>
    text
      .replace(/^\^|[-+].*$/g, '')
      .split('.')
      .map(Number),
  )
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

/**
 * Reads the manifest of a package as it is resolved from here.
 * @throws PixpressError `MACHINE_UNFIT` where it is not installed
 */
export function installedPackage(name: string, range: string): InstalledPackage {
  try {
    for (let folder = path.dirname(require.resolve(name)); ; folder = path.dirname(folder)) {
      const { version } = readManifest(path.join(folder, 'package.json')) ?? {}
      // An alias has another name in its manifest than the folder that it is in.
      if (version !== undefined) return { name, range, version, folder }
      if (folder === path.dirname(folder)) return { name, range, version: 'unknown', folder }
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
