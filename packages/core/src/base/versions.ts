import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { codecFault } from './faults.ts'

/**
 * Raised whenever the engine's own decisions change, so that results made by older decisions are not taken for new
 * ones.
 */
export const ENGINE_REVISION = 29

/** The same for what is done to an SVG alone: a part of the identity of SVG inputs. */
export const SVG_RULES = 'svg 4'

/**
 * The package that decodes HEIC, which users install beside pixpress. Patents cover the codec inside, HEVC, so that
 * neither sharp's libvips nor any browser but Safari has it.
 */
export const HEIC_DECODER = 'heic-decode'

const require = createRequire(import.meta.url)

let versions: Readonly<Record<string, string | number>> | undefined

/**
 * Returns the versions that decide the bytes of a result, for the cache key. Read from the packages' manifests: loading
 * the encoders themselves would cost every warm build tens of milliseconds. sharp's version pins the codecs it ships.
 * @throws PixpressError `MACHINE_UNFIT` where one is not installed
 */
export function engineVersions(): Readonly<Record<string, string | number>> {
  return (versions ??= readVersions())
}

function readVersions(): Readonly<Record<string, string | number>> {
  try {
    return {
      engine: ENGINE_REVISION,
      sharp: packageVersion('sharp'),
      png: packageVersion('@napi-rs/image'),
      svgo: packageVersion('svgo'),
      jxl: packageVersion('@jsquash/jxl'),
    }
  } catch (error) {
    throw codecFault(error) ?? error
  }
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

function packageVersion(name: string): string {
  for (let folder = path.dirname(require.resolve(name)); ; folder = path.dirname(folder)) {
    const manifest = readManifest(path.join(folder, 'package.json'))
    if (manifest?.name === name && manifest.version !== undefined) return manifest.version
    if (folder === path.dirname(folder)) return 'unknown'
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
