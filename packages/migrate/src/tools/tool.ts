import type { Written } from '../script/literals.ts'

/**
 * The successor of one option: another option's text, a part of `engine`, nothing for a reason, or work for a person.
 */
export type Answer =
  | { readonly take: string }
  | { readonly engine: string }
  | { readonly leave: string }
  | { readonly hand: string }

/** Decides the successor of an option by its value. */
export type Rule = (value: Written) => Answer

/** A plugin that is migrated from. */
export interface Tool {
  /** Packages with the name of what they export. */
  readonly packages: Readonly<Record<string, string>>
  /** The entry of unplugin-pixpress, where the package's own name and the configuration's do not say it. */
  readonly bundler: 'vite' | 'webpack'
  readonly options: Readonly<Record<string, Rule>>
  /** Options of pixpress that keep the meaning of what stays. */
  readonly added?: readonly string[]
  /** Where the plugin stands: among plugins, or in webpack's `optimization.minimizer`. */
  readonly place?: 'minimizer'
  /** Names of types that it exports and ours has as well: `Picture` is `Pixpress.Picture`. */
  readonly types?: readonly string[]
  /** Packages that many install for it alone; `*` at the end stands for any rest of a name. */
  readonly companions: readonly string[]
  /** Returns the successor of an import's query, or `undefined` if the query stays. */
  readonly query?: (parameters: ReadonlyMap<string, string>) => QueryAnswer | undefined
}

/** The parameters that replace a query, or what a person has to do. */
export type QueryAnswer =
  | { readonly parameters: readonly (readonly [key: string, value: string])[] }
  | { readonly hand: string }
