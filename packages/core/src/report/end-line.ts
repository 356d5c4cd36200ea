import type { Report } from './json.ts'
import { isSummarised } from './table.ts'
import { wrapText } from './text-width.ts'
import type { TableStyle } from './terminal.ts'
import { formatBytes, formatChange } from './units.ts'
import { visibleText } from '../base/visible-text.ts'
import { STEPS } from './worth.ts'
import type { Worth } from './worth.ts'

const INDENT = '  '

/**
 * Renders the last line of a build or command, without a line break at its end: the bytes before and after unless the
 * report's summary has them, and the one step that would save most. Returns an empty string if there is nothing to say.
 */
export function endLine(report: Report, style: Pick<TableStyle, 'width'> & Partial<TableStyle>): string {
  const { images, totals, worth } = report
  const { before, after } = totals
  if (images.length === 0) return ''
  const sizes = `${formatBytes(before)} → ${formatBytes(after)} (${formatChange(before, after)})`
  const parts = [
    ...(isSummarised(report, style) ? [] : [sizes]),
    ...(worth === undefined ? [] : [describeWorth(worth)]),
  ]
  if (parts.length === 0) return ''
  const [first = '', ...rest] = wrapText(`pixpress ${visibleText(parts.join('; '))}`, style.width - 1)
  const more = rest.length === 0 ? [] : wrapText(rest.join(' '), style.width - INDENT.length)
  // The gap after the name is wider than the gaps between words.
  return [first.replace(' ', INDENT), ...more.map((line) => INDENT + line)].join('\n')
}

/** Returns for example `convert: 'auto'` would save 190.0 kB more in the 3 of 20 images that were tried. */
export function describeWorth({ step, setting, saves, images, of }: Worth): string {
  const bytes = formatBytes(saves)
  const part = images < of ? `, in ${images} of ${of} images` : ''
  // A report of a newer version may name steps that this version does not know.
  const { reader } = STEPS[step] ?? { reader: 'person' }
  if (reader === 'without') return `without \`${setting}\`, ${bytes} would be saved${part}`
  if (reader === 'command') return `\`${setting}\` would save ${bytes}${part}`
  if (reader === 'person') return `${setting} would save ${bytes} more${part}`
  const tried = images < of ? ` in the ${images} of ${of} images that ${images === 1 ? 'was' : 'were'} tried` : ''
  return `\`${setting}\` would save ${bytes} more${tried}`
}
