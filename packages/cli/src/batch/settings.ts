import os from 'node:os'
import path from 'node:path'
import { batchDescription, placeName, readAccess } from '@pixpress/batch'
import type { BatchDescription, PlaceOptions } from '@pixpress/batch'
import {
  EXTENSION_PATTERN,
  OPERATION_FLAGS,
  createPathMatcher,
  operationsOf,
  UsageError,
} from '@pixpress/core/internal'
import type { FlagValues, Flags } from '@pixpress/core/internal'
import type { LoadedConfig } from '../base/config.ts'
import type { Surroundings } from '../base/output.ts'
import { createExclusion } from '../compress/exclusions.ts'
import { parseNameTemplate } from '../compress/name-template.ts'
import { resolveCompressSettings } from '../compress/settings.ts'
import type { CompressSettings } from '../compress/settings.ts'

/** The flags that `compress` has as well, besides those of operations: they mean the same here. */
const SHARED: ReadonlySet<string> = new Set(['concurrency', 'cache-dir', 'no-cache', 'quiet', 'json', 'exclude'])

/** A folder that keys are looked at as paths below. */
const ROOT: string = path.resolve('/')

const isShared = (name: string): boolean => Object.hasOwn(OPERATION_FLAGS, name) || SHARED.has(name)

/** Returns how this machine works: its cache, its limits and its engine. @throws UsageError, PixpressError */
export function machineSettings(
  flags: FlagValues<Flags>,
  loaded: LoadedConfig,
  around: Surroundings,
): CompressSettings {
  if (flags['width']?.toString().includes(',') === true)
    throw new UsageError('A batch gives each image one result: give one width, and a batch for each.')
  const shared = Object.fromEntries(Object.entries(flags).filter(([name]) => isShared(name)))
  return resolveCompressSettings(shared, loaded, around)
}

/** Returns what places are opened with. */
export function placeOptions(flags: FlagValues<Flags>, { cwd, env }: Surroundings): PlaceOptions {
  const [endpoint, region] = [flags['endpoint']?.toString(), flags['region']?.toString()]
  return { cwd, access: () => readAccess({ endpoint, region }, env) }
}

/**
 * Describes a batch: the operations of the configuration and of the flags, and the places.
 * @throws UsageError
 */
export function describeBatch(
  flags: FlagValues<Flags>,
  { config }: LoadedConfig,
  settings: CompressSettings,
  { cwd }: Surroundings,
): BatchDescription {
  const [from, to] = [flags['from']?.toString(), flags['to']?.toString()]
  if (from === undefined || to === undefined) {
    throw new UsageError('A batch needs --from and --to: pixpress batch --from photos --to s3://bucket/photos.')
  }
  const name = flags['name']?.toString()
  if (name !== undefined) parseNameTemplate(name)
  const description = batchDescription({
    from: placeName(from, cwd, '--from'),
    to: placeName(to, cwd, '--to'),
    operations: { ...operationsOf(config), ...settings.flagged },
    overrides: config.overrides ?? [],
    ...(name !== undefined && { name }),
    overwrite: flags['overwrite'] === true,
  })
  if (description.from === description.to) {
    throw new UsageError(`'--to' is '--from': results never take the place of their sources. Give another one.`)
  }
  return description
}

/**
 * Makes the test of the keys of a source: images by their names, without what the configuration and the flags leave
 * out, and without the results where they are below the source.
 */
export function createTaken(
  { from, to }: BatchDescription,
  { include, exclude, without }: CompressSettings,
): (key: string) => boolean {
  const isImage = new RegExp(`${EXTENSION_PATTERN}$`, 'i')
  const isIncluded = include.length === 0 ? () => true : createPathMatcher(include)
  const isExcluded = createPathMatcher(exclude)
  const isLeftOut = createExclusion(without, ROOT)
  const below = resultFolder(from, to)
  return (key) =>
    isImage.test(key) &&
    isIncluded(key) &&
    !isExcluded(key) &&
    !isLeftOut(path.join(ROOT, key)) &&
    !(below !== undefined && key.startsWith(below))
}

/** Returns the key of the results' folder, with a slash at its end, if it is below the source. */
function resultFolder(from: string, to: string): string | undefined {
  const [source, results] = [slashed(from), slashed(to)]
  return results.startsWith(source) ? results.slice(source.length) : undefined
}

const slashed = (place: string): string => `${place.split(path.sep).join('/').replace(/\/+$/, '')}/`

/** Returns the name of this process for the records. */
export const workerName = (): string => `${os.hostname()} ${process.pid}`
