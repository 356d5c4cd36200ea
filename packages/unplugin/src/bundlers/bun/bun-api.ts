/** The part of Bun's bundler API that is used here (https://bun.com/docs/bundler/plugins). */
export interface BunPlugin {
  name: string
  setup(build: BunPluginBuilder): void | Promise<void>
}

/** Bun's interface for plugins, as far as it is used here. */
export interface BunPluginBuilder {
  /** The options of `Bun.build`; `Bun.serve` gives a few of its own, without `entrypoints`. */
  readonly config?: BunConfig
  onResolve(
    filter: { filter: RegExp; namespace?: string },
    callback: (args: ResolveArguments) => Promise<ResolveResult | undefined> | ResolveResult | undefined,
  ): void
  onLoad(
    filter: { filter: RegExp; namespace?: string },
    callback: (args: LoadArguments) => Promise<LoadResult | undefined> | LoadResult | undefined,
  ): void
  /** Since Bun 1.3. Files are written by then; what is changed in the list of outputs `Bun.build` gives. */
  onEnd?(callback: (result: BunResult) => Promise<void> | void): void
}

/** An object without members for `Bun.serve`. */
export interface BunResult {
  readonly success?: boolean
  readonly outputs?: BunArtifact[]
}

/** A file of the output: one of the disk where there is an `outdir`. */
export interface BunArtifact extends Blob {
  /** Absolute, or relative to an output that is in memory. */
  readonly path: string
  readonly kind: string
  readonly loader: string
  /** Holds what stands for `[hash]` in its name. */
  readonly hash: string | null
  readonly sourcemap: BunArtifact | null
}

/** The options of `Bun.build` that are read here. */
export interface BunConfig {
  readonly entrypoints?: readonly string[]
  readonly loader?: Readonly<Record<string, string>>
  /** Default: `browser`. */
  readonly target?: string
  /** Default: the output stays in memory. */
  readonly outdir?: string
  /** Holds what stands before URLs. Default: they are relative. */
  readonly publicPath?: string
}

/** Arguments of an `onResolve` callback. */
export interface ResolveArguments {
  /** The path as it is written, query and fragment included. */
  readonly path: string
  /** Absolute, for scripts, stylesheets and pages. */
  readonly importer: string
  readonly namespace: string
  readonly resolveDir?: string
  /** `internal` for what stylesheets and pages refer to. */
  readonly kind: string
}

/** Result of an `onResolve` callback. */
export interface ResolveResult {
  path: string
  namespace?: string
  /** The path is written in place of the reference, but in pages. */
  external?: boolean
}

/** Arguments of an `onLoad` callback. */
export interface LoadArguments {
  readonly path: string
  readonly namespace: string
  /** Holds what Bun would take by the extension. */
  readonly loader: string
  /** `server` for what a build for servers holds besides the pages it serves. */
  readonly side?: string
}

/** Result of an `onLoad` callback. */
export interface LoadResult {
  contents: string | Uint8Array
  loader: string
}

/** Only there in a process of Bun. */
export interface BunGlobal {
  resolveSync(specifier: string, folder: string): string
  /** A file of the disk as a blob. */
  file(path: string): Blob
}
