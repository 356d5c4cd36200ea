import { STEPS, worthMost, worthOf } from '@pixpress/core/report'
import type { Report, Step, Worth } from '@pixpress/core/report'
import { COMPRESS_FLAGS } from './flags.ts'
import type { CompressSettings } from './settings.ts'

/** The step that would save most after a run of `compress`, of those whose bytes the run has found. */
export function compressWorth(
  { images, totals }: Pick<Report, 'images' | 'totals'>,
  { dryRun }: Pick<CompressSettings, 'dryRun'>,
): Worth | undefined {
  const little = images.filter(({ reason, why }) => reason === 'little' && why?.otherwise !== undefined)
  const passedOver = little.reduce((sum, { after, why }) => sum + after - (why?.otherwise?.bytes ?? after), 0)
  const alike = images.filter(({ duplicates }) => duplicates !== undefined)
  // Each of several alike has an entry of its own, and one of them has to stay.
  const repeated = alike.reduce(
    (sum, { after, duplicates: { length } = [] }) => sum + (after * length) / (length + 1),
    0,
  )
  return worthMost([
    dryRun ? without('no-dry-run', totals.saved, totals.images) : undefined,
    without('no-min-saving', passedOver, little.length),
    worthOf('one-of-same', Math.round(repeated), alike.length),
  ])
}

/** A flag that can be left out, as the command knows it. */
function without(step: Step, saves: number, images: number): Worth | undefined {
  const isFlag = Object.hasOwn(COMPRESS_FLAGS, STEPS[step].setting.slice('--'.length))
  return isFlag ? worthOf(step, saves, images) : undefined
}
