const UNITS = ['kB', 'MB', 'GB'] as const

/** Formats bytes in decimal units with one decimal: `512 B`, `12.3 kB`, `1.0 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  let value = bytes / 1000
  let unit = 0
  // A value that would be rounded to 1000.0 belongs to the next unit.
  while (value >= 999.95 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  return `${value.toFixed(1)} ${UNITS[unit]}`
}

/**
 * Formats the change of a size in whole percent: `-81%`, `0%`, `+12%`. The text is never `-100%` while bytes are left.
 */
export function formatChange(before: number, after: number): string {
  if (before === 0) return '0%'
  const percent = Math.round(((after - before) / before) * 100)
  if (percent > 0) return `+${percent}%`
  return percent === 0 ? '0%' : `${after > 0 ? Math.max(percent, -99) : percent}%`
}

/** Formats an estimated time, without more precision than an estimate has: `4 s`, `1 min 20 s`, `12 min`. */
export function formatRemaining(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  // Steps of ten seconds do not flicker. From ten minutes on, seconds are below the precision of the estimate.
  const tens = Math.round(seconds / 10) * 10
  const minutes = Math.floor(tens / 60)
  return minutes >= 10 || tens % 60 === 0 ? `${minutes} min` : `${minutes} min ${tens % 60} s`
}

/** Formats a duration: `85 ms`, `3.2 s`, `2 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const tenths = Math.round(milliseconds / 100)
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`
  const seconds = Math.round(milliseconds / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
