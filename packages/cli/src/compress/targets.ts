import path from 'node:path'
import { EXTENSIONS } from '@pixpress/core'
import type { InputType } from '@pixpress/core'
import { UsageError } from '@pixpress/core/internal'
import type { InputFile } from './inputs.ts'

/** Where the result of an input belongs, once its type is known. Absolute. */
export type TargetOf = (input: InputFile, from: InputType, to: InputType) => string

/**
 * Places results beside their sources, or under the same names in `out`. A result of another type gets that type's
 * extension; where `a.png` and `a.jpg` would both become `a.webp` they become `a_png.webp` and `a_jpg.webp`. Each of
 * several results of a source has its own name.
 * @throws UsageError when two inputs have the same place in `out`
 */
export function createTargets(inputs: readonly InputFile[], out: string | undefined): TargetOf {
  const unconverted = (input: InputFile): string => (out === undefined ? input.file : path.join(out, input.place))
  const taken = new Map<string, InputFile>()
  const stems = new Map<string, number>()
  for (const input of inputs) {
    if (input.variant !== undefined) continue
    const target = unconverted(input)
    const other = taken.get(target)
    if (other !== undefined) {
      throw new UsageError(`'${other.file}' and '${input.file}' would both become '${target}'.`)
    }
    taken.set(target, input)
    const stem = stemOf(target)
    stems.set(stem, (stems.get(stem) ?? 0) + 1)
  }
  return (input, from, to) => {
    const own = input.variant?.targets.get(to)
    if (own !== undefined) return own
    const target = unconverted(input)
    if (from === to) return target
    const { dir, name, ext } = path.parse(target)
    const suffix = (stems.get(stemOf(target)) ?? 0) > 1 ? `_${ext.slice(1)}` : ''
    return path.join(dir, `${name}${suffix}.${EXTENSIONS[to]}`)
  }
}

/** Case plays no part on many file systems. */
function stemOf(target: string): string {
  const { dir, name } = path.parse(target)
  return path.join(dir, name).toLowerCase()
}
