import { BUDGETS } from '../budgets.ts'
import type { Budget } from '../budgets.ts'
import type { ProjectOption } from './option.ts'

interface BudgetsOption {
  /**
   * Bytes that images may have: `pixpress check` and builds say which have more; with `onError: 'error'` builds fail.
   * Default: none.
   */
  budgets?: readonly Budget[]
}

/** The row of `budgets`. */
export const budgets: ProjectOption<BudgetsOption> = {
  place: 210,
  parser: BUDGETS,
  shownDefault: 'none',
  doc: "[bytes that images may have](check.md#budgets): `[{ include, exclude, image: '200 kB', total: '2 MB', growth: '5%' }, { page: '1 MB' }]`; builds warn, and fail with `onError: 'error'`",
}
