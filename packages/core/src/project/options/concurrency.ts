import { OPTIMIZER_OPTIONS } from '../../optimizer/options.ts'
import type { ProjectOption } from './option.ts'

interface ConcurrencyOption {
  /** Images worked on at once. Default: the processors this process may use. */
  concurrency?: number
}

/** The row of `concurrency`. */
export const concurrency: ProjectOption<ConcurrencyOption> = {
  ...OPTIMIZER_OPTIONS.concurrency,
  place: 230,
  // The optimizer decides where nothing is given.
  default: () => undefined,
  flags: {
    concurrency: {
      value: 'N',
      short: 'j',
      description: 'images worked on at once (default: the processors this process may use)',
    },
  },
}
