import type { SourceMap } from 'magic-string'
import type { FileUrlArguments } from './rolldown-only.ts'

/** An asset to emit. */
export interface Asset {
  type: 'asset'
  name: string
  /** Relative to the root. */
  originalFileName?: string
  source: Uint8Array
  needsCodeReference?: boolean
}

/** A file of the output, of which pages and stylesheets may be changed. */
export type OutputFile =
  | { type: 'asset'; fileName: string; source: string | Uint8Array }
  | { type: 'chunk'; code: string }

/** A resolved module, as both bundlers describe it. */
export interface Resolution {
  id: string
  external: boolean | 'absolute' | 'relative'
}

/** Describes what both bundlers give to hooks, as far as it is used here. */
export interface Context {
  addWatchFile(file: string): void
  emitFile(file: Asset): string
  getFileName(reference: string): string
  warn(message: string): void
}

/** The context of the `resolveId` hook. */
export interface ResolveContext<R extends Resolution> {
  resolve(source: string, importer?: string, options?: { skipSelf: true; isEntry: boolean }): Promise<R | null>
  warn(message: string): void
}

/** The hooks, in the types that Rollup and Rolldown share. */
export interface RollupLikePlugin {
  name: string
  options?(this: unknown, input: object): object | null
  shouldTransformCachedModule?(this: unknown): null
  buildStart(this: unknown, options: object): void
  resolveId: {
    filter: { id: RegExp }
    handler<R extends Resolution>(
      this: ResolveContext<R>,
      source: string,
      importer: string | undefined,
      options: { isEntry: boolean },
    ): Promise<R | null>
  }
  load: { filter: { id: RegExp }; handler(this: Context, id: string): Promise<LoadedImage | null> }
  transform: {
    filter: { code: string }
    handler(this: Context, code: string, id: string): Promise<{ code: string; map: SourceMap } | null>
  }
  renderChunk: {
    filter: { code: RegExp }
    handler(this: Context, code: string): Promise<{ code: string; map: SourceMap } | null>
  }
  resolveFileUrl(this: unknown, file: FileUrlArguments): string | null
  generateBundle: {
    order: 'post'
    handler(
      this: Context,
      options: { dir?: string | undefined; file?: string | undefined },
      bundle: Record<string, OutputFile>,
    ): Promise<void>
  }
  buildEnd(this: unknown, error?: Error): Promise<void>
}

/** The module of an image, as the `load` hook returns it. */
export interface LoadedImage {
  code: string
  map: { mappings: '' }
  moduleSideEffects: false
  /** Rolldown would choose by the extension. */
  moduleType: 'js'
}
