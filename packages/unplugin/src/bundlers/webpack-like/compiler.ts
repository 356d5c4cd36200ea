/**
 * The part of webpack's and Rspack's compilers that is the same in both, as far as it is used here. Either compiler
 * fits, but their types do not fit each other.
 */
export interface CompilerLike {
  /** Absolute path of the project. */
  readonly context: string
  /** Absolute path of the output folder. */
  readonly outputPath: string
  readonly options: CompilerOptionsLike
  /** May be replaced until the build starts. */
  readonly inputFileSystem: unknown
  /** webpack's or Rspack's own module. */
  readonly webpack: {
    readonly sources: { readonly RawSource: new (source: Buffer | string) => SourceLike }
    readonly NormalModule: {
      getCompilationHooks(compilation: object): { readonly loader: HookLike<[loaderContext: object]> }
    }
    readonly Compilation: {
      readonly PROCESS_ASSETS_STAGE_ADDITIONS: number
      readonly PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE: number
      readonly PROCESS_ASSETS_STAGE_OPTIMIZE_HASH: number
    }
  }
  readonly hooks: {
    /** Called when every plugin has been applied, before the options are used. */
    readonly afterEnvironment: HookLike<[]>
    readonly run: AsyncHookLike<[]>
    readonly watchRun: AsyncHookLike<[]>
    readonly done: AsyncHookLike<[stats: { hasErrors(): boolean; readonly compilation: CompilationLike }]>
    readonly failed: HookLike<[error: Error]>
    readonly shutdown: AsyncHookLike<[]>
    /** Also called for child compilers. */
    readonly compilation: HookLike<[compilation: CompilationLike]>
    /** Not called for child compilers. */
    readonly thisCompilation: HookLike<[compilation: CompilationLike]>
  }
}

/** The options that webpack and Rspack share, as far as they are used here. */
export interface CompilerOptionsLike {
  readonly name?: string | undefined
  readonly mode?: unknown
  readonly target?: unknown
  readonly entry?: unknown
  readonly plugins?: readonly unknown[]
  readonly resolveLoader?: { readonly alias?: unknown }
  cache?: unknown
  devServer?: unknown
  experiments?: { cache?: unknown; useInputFileSystem?: unknown }
  optimization?: { readonly realContentHash?: boolean | undefined }
  externalsPresets?: { readonly node?: boolean | undefined } | undefined
  readonly output: {
    readonly assetModuleFilename?: unknown
    readonly publicPath?: unknown
    readonly path?: string | undefined
  }
  readonly module: { rules: unknown[]; readonly generator?: unknown }
}

/** A compilation of webpack or Rspack, as far as it is used here. */
export interface CompilationLike {
  readonly warnings: { push(warning: Error): unknown }
  readonly errors: { readonly length: number; push(error: Error): unknown }
  readonly hooks: {
    readonly processAssets: {
      tapPromise(
        options: { name: string; stage: number; additionalAssets?: boolean },
        action: (assets: Readonly<Record<string, unknown>>) => Promise<void>,
      ): void
    }
  }
  /** The assets by their names. */
  readonly assets: Readonly<Record<string, unknown>>
  emitAsset(name: string, source: SourceLike, info: AssetInfoLike): void
  getAsset(name: string): { readonly source: SourceLike; readonly info: AssetInfoLike } | undefined | void
  updateAsset(name: string, source: SourceLike, info: (info: AssetInfoLike) => AssetInfoLike): void
}

/** The source of an asset, as bytes. */
export interface SourceLike {
  buffer(): Buffer
}

/** The properties of an asset that both bundlers keep. */
export interface AssetInfoLike {
  /** Relative to the project. */
  sourceFilename?: string | undefined
  /** Hashes of the content; part of the name, where names have one. */
  contenthash?: string | readonly string[] | undefined
  /** Hashes of the modules in it, as they were before assets were changed. */
  chunkhash?: string | readonly string[] | undefined
  /** Hashes of the whole build, in the same way. */
  fullhash?: string | readonly string[] | undefined
  /** Tells whether the name changes with the content. */
  immutable?: boolean | undefined
  /** Set by plugins that copy files. */
  copied?: boolean | undefined
}

interface HookLike<Arguments extends readonly unknown[]> {
  tap(name: string, action: (...args: Arguments) => void): void
}

interface AsyncHookLike<Arguments extends readonly unknown[]> {
  tapPromise(name: string, action: (...args: Arguments) => Promise<void>): void
}

/** The name under which the plugin taps hooks. */
export const PLUGIN_NAME = 'pixpress'
