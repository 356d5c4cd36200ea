import type { Tool } from '../tools/tool.ts'

type Section = Readonly<Record<string, string>>

const SECTIONS = ['devDependencies', 'dependencies', 'optionalDependencies'] as const

const OURS = 'unplugin-pixpress'

/** A manifest with the tool's packages replaced by ours, and the names of the packages that it has besides. */
export interface ManifestChange {
  /** `undefined` where it is written in a way that would be lost. */
  readonly text: string | undefined
  readonly others: readonly string[]
}

/** Returns `undefined` for text that is no JSON. */
function parseManifest(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    return undefined
  }
}

/** The package of a specifier: `a` of `a/vite`. No tool has a scope. */
export const packageOf = (specifier: string): string => specifier.split('/')[0]!

/**
 * The change of a `package.json`. Ours takes the section of the tool's.
 * @returns `undefined` where it does not depend on the tool
 */
export function changeManifest(text: string, { packages }: Tool, version: string): ManifestChange | undefined {
  const names = new Set(Object.keys(packages).map(packageOf))
  const manifest = parseManifest(text)
  if (manifest === undefined) {
    // A person has to correct it anyway.
    return [...names].some((name) => text.includes(`"${name}"`)) ? { text: undefined, others: [] } : undefined
  }
  const sections = SECTIONS.filter((section) =>
    Object.keys((manifest[section] ?? {}) as Section).some((name) => names.has(name)),
  )
  if (sections.length === 0) return undefined
  const changed = { ...manifest }
  // Another plugin of the project may have been replaced before.
  const isThere = SECTIONS.some((section) => Object.hasOwn((manifest[section] ?? {}) as Section, OURS))
  for (const [index, section] of sections.entries()) {
    const before = Object.entries(manifest[section] as Section)
    const kept = before.filter(([name]) => !names.has(name))
    const ours: (readonly [string, string])[] = index === 0 && !isThere ? [[OURS, version]] : []
    const isSorted = before.every(([name], at) => at === 0 || before[at - 1]![0] < name)
    const next = [...kept, ...ours]
    changed[section] = Object.fromEntries(isSorted ? next.toSorted(([a], [b]) => (a < b ? -1 : 1)) : next)
  }
  const indent = /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? '  '
  const write = (value: object): string => JSON.stringify(value, null, indent) + (text.endsWith('\n') ? '\n' : '')
  const all = SECTIONS.flatMap((section) => Object.keys((manifest[section] ?? {}) as Section))
  return {
    text: write(manifest) === text ? write(changed) : undefined,
    others: all.filter((name) => !names.has(name)),
  }
}
