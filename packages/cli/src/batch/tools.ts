import path from 'node:path'
import type { BatchDescription, BatchTools, Destination, PlaceOptions } from '@pixpress/batch'
import { idOfBatch, openBatchSource } from '@pixpress/batch'
import { EXTENSIONS } from '@pixpress/core'
import type { OptimizeResult, Optimizer } from '@pixpress/core'
import { DEFAULT_LIMITS, PROJECT_OPTIONS, availableCpus, parseOptions } from '@pixpress/core/internal'
import type { Config } from '../base/config.ts'
import { createOperations } from '../compress/file-operations.ts'
import { parseNameTemplate } from '../compress/name-template.ts'
import type { CompressSettings } from '../compress/settings.ts'
import { createTaken, workerName } from './settings.ts'

/** The parts that the tools of a batch are made of. */
export interface ToolParts {
  readonly description: BatchDescription
  readonly destination: Destination
  readonly places: PlaceOptions
  readonly settings: CompressSettings
  readonly optimizer: Optimizer
  readonly signal: AbortSignal
}

/** Images in memory for each one that is encoded: the others are read or written meanwhile. */
const IN_FLIGHT = 3

/** A path that keys are relative to: patterns of `overrides` are matched against the keys. */
const ROOT: string = path.resolve('/')

/** Makes the tools of a batch from its description, which another machine may have written. @throws PixpressError */
export function createTools({ description, destination, places, settings, optimizer, signal }: ToolParts): BatchTools {
  const { operations, overrides, name, overwrite } = description
  const options: object = { ...operations, overrides }
  parseOptions(PROJECT_OPTIONS, options)
  const lookUp = createOperations(options as Config, {}, ROOT)
  return {
    batch: idOfBatch(description),
    source: openBatchSource(description.from, places, createTaken(description, settings)),
    destination,
    optimizer,
    operationsOf: (key) => lookUp(path.join(ROOT, key)).operations,
    nameOf: createNames(name),
    overwrite,
    concurrency: IN_FLIGHT * (settings.concurrency ?? availableCpus()),
    mostBytes: settings.limits?.maxBytes ?? DEFAULT_LIMITS.maxBytes,
    worker: workerName(),
    signal,
  }
}

/** Names results as their sources, with the extensions of their types, or by a template. */
function createNames(text: string | undefined): BatchTools['nameOf'] {
  const template = text === undefined ? undefined : parseNameTemplate(text)
  return (key, { info, input }: OptimizeResult) => {
    if (template === undefined && info.type === input.type) return key
    const { dir, name, ext } = path.posix.parse(key)
    const values = { name, ext: EXTENSIONS[info.type], from: ext.slice(1), width: info.width, height: info.height }
    return path.posix.join(dir, template === undefined ? `${name}.${values.ext}` : template(values))
  }
}
