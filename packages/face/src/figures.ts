const UNITS = ['kB', 'MB', 'GB'] as const

/** Formats bytes in decimal units with three digits: `512 B`, `83.8 kB`, `124 kB`, `1.24 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  let value = bytes / 1000
  let unit = 0
  // A value that would be rounded to 1000 belongs to the next unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  return `${digits(value, unit)} ${UNITS[unit]}`
}

/** Kilobytes have one decimal at most, as a hundredth of one is nothing. */
function digits(value: number, unit: number): string {
  if (value >= 99.95) return value.toFixed(0)
  return value.toFixed(unit > 0 && value < 9.995 ? 2 : 1)
}

/**
 * Formats the change of a size in whole percent: `−57 %`, `0 %`, `+12 %`. The text is never `−100 %` while bytes are
 * left.
 */
export function changeText(before: number, after: number): string {
  if (before === 0) return '0 %'
  const percent = Math.round(((after - before) / before) * 100)
  if (percent > 0) return `+${percent} %`
  return percent === 0 ? '0 %' : `−${Math.min(-percent, after > 0 ? 99 : 100)} %`
}

/** Formats a number of things: `1 picture`, `1,024 pictures`. */
export function countText(count: number, one: string, many: string = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
