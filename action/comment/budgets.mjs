import { bytesOf, counted, escaped, nameOf } from './text.mjs'

/** Limits that have a row. */
const MAX_ROWS = 25

/** Limits in words, by their keys in the configuration. */
const LIMITS = { image: 'each image', total: 'all together', growth: 'all together, with what they may grow by' }

/**
 * The limits of budgets as a table: the bytes that are allowed, that were there before and are there now, and whether
 * that is kept. Those that are not come first.
 * @param standings as the command reports them; absent from commands that do not
 * @returns nothing if no budget concerns the images
 */
export function budgetsPart(standings = []) {
  if (standings.length === 0) return []
  const rows = standings.toSorted((a, b) => Number(b.bytes > b.limit) - Number(a.bytes > a.limit)).map(rowOf)
  const hidden = rows.length - MAX_ROWS
  const table = [
    '| Budget | Limit | Before | Now | Kept |',
    '| --- | ---: | ---: | ---: | --- |',
    ...rows.slice(0, MAX_ROWS),
  ]
  return [`${table.join('\n')}${hidden > 0 ? `\n\n… and ${counted(hidden, 'more limit')}` : ''}`]
}

function rowOf({ budget, key, limit, bytes, before, source }) {
  const which = LIMITS[key] ?? escaped(key)
  const heaviest = source === undefined ? '' : `<br>${nameOf(source)}`
  // Colour alone would tell nothing to many, and a mark alone nothing to a screen reader.
  const kept = bytes > limit ? `✗ over by ${bytesOf(bytes - limit)}` : `✓ kept, ${bytesOf(limit - bytes)} left`
  const cells = [
    `${nameOf(budget)}, ${which}`,
    bytesOf(limit),
    before === undefined ? '' : bytesOf(before),
    bytesOf(bytes) + heaviest,
    kept,
  ]
  return `| ${cells.join(' | ')} |`
}
