import { BUNDLERS, CAPABILITIES, INSIDES, INSIDE_PLACES, REFERENCE_KINDS } from './capabilities.ts'
import type { Bundler, Capabilities, InsidePlace, Offering, ReferenceKind } from './capabilities.ts'

const TITLES: Readonly<Record<Bundler, string>> = {
  vite: 'Vite',
  webpack: 'webpack',
  rspack: 'Rspack',
  rsbuild: 'Rsbuild',
  rollup: 'Rollup',
  rolldown: 'Rolldown',
  esbuild: 'esbuild',
  bun: 'Bun',
}

/** The table of `docs/bundlers.md`: a row for each kind of reference, reasons as footnotes below it. */
export function capabilityTable(capabilities: Capabilities = CAPABILITIES): string {
  const kinds = Object.entries(REFERENCE_KINDS) as [ReferenceKind, string][]
  return table(
    'reference',
    kinds.map(([kind, example]) => [example, (bundler) => capabilities[bundler][kind]]),
  )
}

/** The table of `docs/formats.md`. */
export function insideTable(): string {
  const places = Object.entries(INSIDE_PLACES) as [InsidePlace, string][]
  return table(
    'pictures inside of',
    places.map(([place, title]) => [title, (bundler) => INSIDES[bundler][place]]),
  )
}

function table(head: string, rows: readonly (readonly [string, (bundler: Bundler) => Offering])[]): string {
  const reasons: string[] = []
  const cell = (capability: Offering): string => {
    if (capability === true) return '✓'
    const reason = typeof capability === 'string' ? capability : capability.needs
    if (!reasons.includes(reason)) reasons.push(reason)
    return `${typeof capability === 'string' ? '–' : '✓'} [${reasons.indexOf(reason) + 1}]`
  }
  const lines = [
    [head, ...BUNDLERS.map((bundler) => TITLES[bundler])],
    ['---', ...BUNDLERS.map(() => '---')],
    ...rows.map(([title, of]) => [title, ...BUNDLERS.map((bundler) => cell(of(bundler)))]),
  ]
  return [
    ...lines.map((columns) => `| ${columns.join(' | ')} |`),
    '',
    ...reasons.map((reason, index) => `${index + 1}. ${reason[0]!.toUpperCase()}${reason.slice(1)}.`),
    '',
  ].join('\n')
}
