const UNITS = ['B', 'kB', 'MB', 'GB']

/** Returns the bytes in decimal units: `512 B`, `12.3 kB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.95 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`
}

/** Formats a change as `−62 %`; `0 %` when nothing changed. */
export function formatChange(before: number, after: number): string {
  const percent = before === 0 ? 0 : Math.round(((after - before) / before) * 100)
  return percent < 0 ? `−${-percent} %` : `${percent > 0 ? '+' : ''}${percent} %`
}
