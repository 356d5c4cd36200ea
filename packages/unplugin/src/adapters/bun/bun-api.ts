/** The part of Bun's bundler API that is used here (https://bun.com/docs/bundler/plugins). */
export interface BunPlugin {
  name: string
  setup(build: BunPluginBuilder): void | Promise<void>
}

export interface BunPluginBuilder {
  /** The options of the build; the dev server gives a few of its own. */
  readonly config?: { readonly loader?: Readonly<Record<string, string>> }
  onResolve(
    filter: { filter: RegExp; namespace?: string },
    callback: (args: ResolveArguments) => Promise<ResolveResult | undefined> | ResolveResult | undefined,
  ): void
  onLoad(
    filter: { filter: RegExp; namespace?: string },
    callback: (args: LoadArguments) => Promise<LoadResult | undefined> | LoadResult | undefined,
  ): void
  /** Since Bun 1.3. */
  onEnd?(callback: () => Promise<void> | void): void
}

export interface ResolveArguments {
  /** As written, query and fragment included. */
  readonly path: string
  /** Absolute, for scripts, stylesheets and pages. */
  readonly importer: string
  readonly namespace: string
  readonly resolveDir?: string
  /** `internal` for what stylesheets and pages refer to. */
  readonly kind: string
}

export interface ResolveResult {
  path: string
  namespace?: string
}

export interface LoadArguments {
  readonly path: string
  readonly namespace: string
  /** What Bun would take by the extension. */
  readonly loader: string
}

export interface LoadResult {
  contents: string | Uint8Array
  loader: string
}

/** Only there in a process of Bun. */
export interface BunGlobal {
  resolveSync(specifier: string, folder: string): string
}
