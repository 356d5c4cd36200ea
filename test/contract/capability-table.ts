import { BUNDLERS, CAPABILITIES, REFERENCE_KINDS } from './capabilities.ts'
import type { Bundler, Capabilities, ReferenceKind } from './capabilities.ts'

const TITLES: Readonly<Record<Bundler, string>> = {
  vite: 'Vite',
  webpack: 'webpack',
  rspack: 'Rspack',
  rsbuild: 'Rsbuild',
  rollup: 'Rollup',
  rolldown: 'Rolldown',
  esbuild: 'esbuild',
  farm: 'Farm',
  bun: 'Bun',
}

/** The table of `docs/bundlers.md`: a row for each kind of reference, reasons as footnotes below it. */
export function capabilityTable(capabilities: Capabilities = CAPABILITIES): string {
  const reasons: string[] = []
  const cell = (bundler: Bundler, kind: ReferenceKind): string => {
    const capability = capabilities[bundler][kind]
    if (capability === true) return '✓'
    if (!reasons.includes(capability)) reasons.push(capability)
    return `– [${reasons.indexOf(capability) + 1}]`
  }
  const kinds = Object.entries(REFERENCE_KINDS) as [ReferenceKind, string][]
  const rows = kinds.map(([kind, example]) => [example, ...BUNDLERS.map((bundler) => cell(bundler, kind))])
  const lines = [
    ['reference', ...BUNDLERS.map((bundler) => TITLES[bundler])],
    ['---', ...BUNDLERS.map(() => '---')],
    ...rows,
  ]
  return [
    ...lines.map((columns) => `| ${columns.join(' | ')} |`),
    '',
    ...reasons.map((reason, index) => `${index + 1}. ${reason[0]!.toUpperCase()}${reason.slice(1)}.`),
    '',
  ].join('\n')
}
