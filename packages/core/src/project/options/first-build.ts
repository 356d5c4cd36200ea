import { DURATION } from '../../options/duration.ts'
import type { ProjectOption } from './option.ts'

interface FirstBuildOption {
  /**
   * The time that a build may spend at full effort on images that its cache does not have, as `'5s'`, `'2m'` or
   * milliseconds: a quick path writes the others, as drafts. Only for images with `effort: 'auto'`; needs a lock, which
   * is made. Default: no bound.
   */
  firstBuild?: number | string
}

/** The row of `firstBuild`. */
export const firstBuild: ProjectOption<FirstBuildOption, number> = {
  place: 170,
  parser: DURATION,
  shownDefault: 'no bound',
  doc: "[time for the full effort](first-build.md) in a build without a cache, as `'5s'`; with `effort: 'auto'`, what does not fit becomes a draft, which the lock names (not for the command, which makes no drafts)",
}
