import type { Report } from './json.ts'
import { wrapText } from './text-width.ts'
import type { TableStyle } from './terminal.ts'
import { formatBytes, formatChange } from './units.ts'
import { visibleText } from './visible-text.ts'
import { STEPS } from './worth.ts'
import type { Worth } from './worth.ts'

const INDENT = '  '

/**
 * The last line of a build or command, without a line break at its end: what was achieved, and the one step that is worth most.
 * Without images there is none.
 */
export function endLine({ totals, worth }: Pick<Report, 'totals' | 'worth'>, style: Pick<TableStyle, 'width'>): string {
  const { images, before, after } = totals
  if (images === 0) return ''
  const sizes = `${formatBytes(before)} → ${formatBytes(after)} (${formatChange(before, after)})`
  return lastLine(sizes, worth, style)
}

/** The same of what is no report: `achieved` begins it. */
export function lastLine(achieved: string, worth: Worth | undefined, { width }: Pick<TableStyle, 'width'>): string {
  const text = visibleText(worth === undefined ? achieved : `${achieved}; ${describeWorth(worth)}`)
  const [first = '', ...rest] = wrapText(`pixpress ${text}`, width - 1)
  const more = rest.length === 0 ? [] : wrapText(rest.join(' '), width - INDENT.length)
  // The gap behind the name is wider than those between words.
  return [first.replace(' ', INDENT), ...more.map((line) => INDENT + line)].join('\n')
}

/** `convert: 'auto'` would save 190.0 kB more, in 3 of 20 images. */
export function describeWorth({ step, setting, saves, images, of }: Worth): string {
  const bytes = formatBytes(saves)
  const part = images < of ? `, in ${images} of ${of} images` : ''
  // A report of a newer version may know more steps.
  const { reader } = STEPS[step] ?? { reader: 'person' }
  if (reader === 'without') return `without \`${setting}\`, ${bytes} would be saved${part}`
  if (reader === 'command') return `\`${setting}\` would save ${bytes}${part}`
  if (reader === 'person') return `${setting} would save ${bytes} more${part}`
  return `\`${setting}\` would save ${bytes} more${part}`
}
