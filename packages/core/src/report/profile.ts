import { EXTENSIONS } from '../base/formats.ts'
import type { InputType, Work } from '../base/types.ts'
import type { Report } from './json.ts'
import type { Environment } from './terminal.ts'
import { formatDuration } from './units.ts'

/** Returns `true` if `PIXPRESS_PROFILE` is `1`. */
export const wantsProfile = (environment: Environment): boolean => environment['PIXPRESS_PROFILE'] === '1'

/**
 * Renders the time of all work by phase, as text without a line break at the end. Times are summed over all threads, so
 * that they exceed the time that went by.
 */
export function renderProfile({ images }: Report): string {
  const works = images.flatMap(({ work }) => work ?? [])
  const sum = (figure: (work: Work) => number): number => works.reduce((total, work) => total + figure(work), 0)
  const encodes = byType(works, ({ encodes: each }) => each)
  const encodeTimes = byType(works, ({ milliseconds }) => milliseconds.encode)
  const phases = (['decode', 'quantise', 'score', 'pack'] as const).map(
    (phase) => [phase, sum(({ milliseconds }) => milliseconds[phase])] as const,
  )
  const times = [...phases, ...encodeTimes.map(([type, time]) => [`encode ${EXTENSIONS[type]}`, time] as const)]
  const total = sum(({ milliseconds }) => milliseconds.total)
  const other = Math.max(0, total - times.reduce((known, [, time]) => known + time, 0))
  const share = (time: number): string => `${total === 0 ? 0 : Math.round((100 * time) / total)}%`
  const all = encodes.reduce((count, [, each]) => count + each, 0)
  const named = encodes.map(([type, count]) => `${count} ${EXTENSIONS[type]}`).join(', ')
  return [
    `pixpress  profile  ${works.length} worked on  ${formatDuration(total)} of work  ${formatDuration(sum(({ milliseconds }) => milliseconds.wait))} of waiting`,
    `  ${all} encodes${named === '' ? '' : ` (${named})`}  ${sum(({ probes }) => probes)} probes  ${sum(({ scores }) => scores)} scores  ${sum(({ packs }) => packs)} packs  ${(sum(({ pixels }) => pixels) / 1e6).toFixed(1)} megapixels`,
    `  ${[...times, ['other', other] as const].map(([name, time]) => `${name} ${formatDuration(time)} ${share(time)}`).join('  ')}`,
  ].join('\n')
}

function byType(
  works: readonly Work[],
  figures: (work: Work) => Readonly<Partial<Record<InputType, number>>>,
): (readonly [InputType, number])[] {
  const sums = new Map<InputType, number>()
  for (const [type, figure] of works.flatMap((work) => Object.entries(figures(work)) as [InputType, number][])) {
    sums.set(type, (sums.get(type) ?? 0) + figure)
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
}
