import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { EXTENSIONS } from '@pixpress/core'
import type { InputType, Optimizer } from '@pixpress/core'
import { resultSize, UsageError } from '@pixpress/core/internal'
import type { OperationsOf } from './file-operations.ts'
import type { InputFile } from './inputs.ts'
import type { NameTemplate } from './name-template.ts'

/** Options of naming the results of sources. */
export interface VariantOptions {
  readonly optimizer: Optimizer
  readonly operations: OperationsOf
  /** Pixels; empty: each source has one result. */
  readonly widths: readonly number[]
  readonly template: NameTemplate
  /** Folder of the results, absolute. */
  readonly out: string
}

/**
 * Names the results of sources: one for each width, as far as these differ. An image that is no wider than one of them
 * has its own width once. A source whose header cannot be read, or that cannot be resized, stays as it is, and its
 * failure is reported when its turn comes.
 * @throws UsageError when two results may have the same name, before anything is written
 */
export async function nameVariants(inputs: readonly InputFile[], options: VariantOptions): Promise<InputFile[]> {
  const variants: InputFile[] = []
  // One after the other: only headers are of use, but whole files are read.
  for (const input of inputs) variants.push(...(await variantsOf(input, options)))
  const owners = new Map<string, InputFile>()
  for (const variant of variants) {
    const targets = variant.variant?.targets.values() ?? [path.join(options.out, variant.place)]
    // Case plays no part on many file systems.
    for (const target of new Set([...targets].map((each) => each.toLowerCase()))) {
      const other = owners.get(target)
      if (other !== undefined) throw collision(other, variant, target)
      owners.set(target, variant)
    }
  }
  // A folder may hold the results of an earlier run beside their sources.
  return variants.filter(({ file }) => {
    const owner = owners.get(file.toLowerCase())
    return owner === undefined || owner.file === file
  })
}

async function variantsOf(input: InputFile, options: VariantOptions): Promise<InputFile[]> {
  const { optimizer, operations, widths } = options
  try {
    const bytes = await readFile(input.file)
    const header = await optimizer.probe(bytes, { file: input.file })
    const named = new Map<string, InputFile>()
    for (const width of widths.length === 0 ? [undefined] : widths) {
      const plan = optimizer.plan(bytes, operations(input.file, width).operations)
      if (plan.type === 'image/svg+xml' && plan.operations.resize !== null) return [input]
      const size = resultSize(header, plan.operations)
      const targets = new Map(plan.types.map((type) => [type, targetOf(input, type, size, options)]))
      const name = `${size.width}x${size.height}`
      if (!named.has(name)) named.set(name, { ...input, variant: { width, targets } })
    }
    return [...named.values()]
  } catch {
    return [input]
  }
}

function targetOf(
  { place }: InputFile,
  type: InputType,
  size: { width: number; height: number },
  { template, out }: VariantOptions,
): string {
  const { dir, name, ext } = path.posix.parse(place)
  return path.join(out, dir, template({ name, ext: EXTENSIONS[type], from: ext.slice(1), ...size }))
}

function collision(a: InputFile, b: InputFile, target: string): UsageError {
  const name = path.basename(target)
  if (a.file === b.file)
    return new UsageError(`Two results of '${a.file}' would both become '${name}': put {width} into '--name'.`)
  const isAlike = path.extname(a.file).toLowerCase() === path.extname(b.file).toLowerCase()
  const hint = isAlike ? 'give the folder that both are in' : "put {from} into '--name'"
  return new UsageError(`'${a.file}' and '${b.file}' would both become '${name}': ${hint}.`)
}
