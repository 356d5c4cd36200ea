const RIGHT = /^[<≤×\d.,-]|^–/

/**
 * Returns a Markdown table whose columns are aligned as oxfmt aligns them. Columns that hold only figures are set flush
 * right.
 */
export function table(head, rows) {
  const numeric = head.map((_, column) => column > 0 && rows.every((row) => RIGHT.test(row[column])))
  const widths = head.map((title, column) =>
    Math.max(3, ...[title, ...rows.map((row) => row[column])].map((cell) => cell.length)),
  )
  const line = (cells) =>
    `| ${cells.map((cell, column) => (numeric[column] ? cell.padStart(widths[column]) : cell.padEnd(widths[column]))).join(' | ')} |`
  const rule = widths.map((width, column) => (numeric[column] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)))
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n')
}

export const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`
export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(bytes < 1e8 ? 2 : 0)} MB`
/** Formats memory, which varies by more than a fraction of a megabyte from run to run. */
export const wholeMegabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`
export const ratio = (value, base) => `${(value / base).toFixed(2)}×`
export const percent = (value, base) => `${((100 * value) / base).toFixed(1)} %`
