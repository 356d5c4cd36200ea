import path from 'node:path'
import { compare } from '@pixpress/core/report'
import { REASONS } from '../../textures/textures.ts'
import type { TextureReason } from '../../textures/textures.ts'

/** Groups that are named one by one. */
const MOST_GROUPS = 3

/**
 * One line that tells which images stay lossless and why, by folder, the largest group first.
 * @param textures by path relative to the project's folder, with forward slashes
 */
export function texturesLine(textures: ReadonlyMap<string, TextureReason>): string {
  const groups = new Map<string, { readonly folder: string; readonly reason: TextureReason; count: number }>()
  for (const [file, reason] of textures) {
    const folder = path.posix.dirname(file)
    const key = JSON.stringify([folder, reason])
    const group = groups.get(key) ?? { folder, reason, count: 0 }
    group.count++
    groups.set(key, group)
  }
  const sorted = [...groups].sort(([a, x], [b, y]) => y.count - x.count || compare(a, b)).map(([, group]) => group)
  const named = sorted.slice(0, MOST_GROUPS).map(({ folder, reason, count }) => {
    const place = folder === '.' ? 'the project\u2019s folder' : folder
    const [one, several] = REASONS[reason]
    return `${count === 1 ? '1 image' : `${count} images`} of ${place} ${count === 1 ? 'stays' : 'stay'} lossless, as ${count === 1 ? one : several}`
  })
  const rest = sorted.slice(MOST_GROUPS).reduce((sum, { count }) => sum + count, 0)
  const more = rest === 0 ? [] : [`${rest} more, of which the JSON report says why`]
  return `${[...named, ...more].join('; ')}. \`overrides\` with \`lossless\` decides otherwise.`
}
