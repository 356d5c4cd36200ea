import { realpathSync } from 'node:fs'
import path from 'node:path'
import type { ImageType } from '@pixpress/core'
import {
  AUTO,
  PROJECT_OPTIONS,
  lockFile,
  parseOptions,
  projectCacheFolder,
  projectFolder,
  projectOperations,
  resolveCacheSettings,
  resolveImageStore,
  resolveRemoteOptions,
} from '@pixpress/core/internal'
import type { ParsedProjectOptions, Rows } from '@pixpress/core/internal'
import { resolveOutputs } from '../../directives/custom-output.ts'
import { resolveDefaultDirectives } from '../../directives/default-directives.ts'
import { resolvePresets } from '../../directives/presets.ts'
import { chooseAutoFormats } from './auto-formats.ts'
import { fromImagetools } from './imagetools-options.ts'
import type { Options, ResolvedOptions, ResolvedOverride } from './options.ts'
import { shapingOptions } from './shaping.ts'

/** The rows of the options that every adapter takes. */
const ROWS = Object.fromEntries(
  Object.entries(PROJECT_OPTIONS).filter(([, { bundlers }]) => bundlers === undefined),
) as Rows<Options>

type Parsed = Omit<Options, 'firstBuild'> & ParsedProjectOptions

/**
 * Validates the options once, and fills in every default. It has a line for each option, in the order of the type.
 * @param given options of vite-imagetools are accepted with `compat: 'imagetools'`, where they have a meaning here
 * @param bundlerRoot the folder the bundler works in; `options.root` beats it
 * @param targets the targets that the project itself set, as for `chooseAutoFormats`. Default: none
 * @param isServed `true`: a dev server asks, for which `convert: 'auto'` encodes no other format
 * @throws PixpressError `INVALID_OPTION`
 */
export function resolvePluginOptions(
  given: Options,
  bundlerRoot: string,
  targets: readonly string[] = [],
  isServed: boolean = false,
): ResolvedOptions {
  const options = fromImagetools(given)
  const outputs = resolveOutputs(options.outputs)
  const parsed = parseOptions(ROWS, options) as Parsed
  const root = path.resolve(bundlerRoot, parsed.root ?? '')
  const isAuto = [options, ...(parsed.overrides ?? [])].some(({ convert }) => convert === AUTO)
  const lock = lockFile(parsed, root)
  const formats = isAuto && !isServed ? chooseAutoFormats(root, targets, lock) : { covered: [] }
  return {
    root,
    include: parsed.include,
    exclude: parsed.exclude,
    operations: projectOperations(options, formats.covered),
    overrides: overridesOf(parsed, formats.covered),
    convert: options.convert,
    isAuto,
    ...formats,
    convertIcons: parsed.convertIcons,
    presets: resolvePresets(options.presets, Object.keys(outputs)),
    compat: parsed.compat === 'imagetools',
    defaultDirectives: resolveDefaultDirectives(options.defaultDirectives),
    remoteImages: parsed.remoteImages,
    outputs,
    namedExports: parsed.namedExports,
    lqip: parsed.lqip,
    types: parsed.types === undefined ? undefined : path.resolve(root, parsed.types),
    shaping: parsed.types === undefined ? '' : shapingOptions(options),
    publicDir: parsed.publicDir,
    remote: parsed.engine === 'local' ? undefined : resolveRemoteOptions(parsed.engine),
    store: parsed.store && resolveImageStore(parsed.store, root),
    ...cacheFolders(parsed, root),
    persistent: parsed.cache !== false,
    cache: resolveCacheSettings(typeof parsed.cache === 'boolean' ? {} : parsed.cache),
    lock,
    firstBuild: parsed.firstBuild,
    report: reportFiles(parsed, root),
    budgets: parsed.budgets ?? [],
    onError: parsed.onError,
    onBlameless: options.onError ?? 'error',
    concurrency: parsed.concurrency,
    limits: parsed.limits ?? {},
  }
}

function overridesOf({ overrides = [] }: Parsed, auto: readonly ImageType[]): ResolvedOverride[] {
  return overrides.map(({ include, exclude, ...given }) => ({
    include,
    exclude,
    convert: given.convert,
    operations: projectOperations(given, auto),
  }))
}

function cacheFolders({ cache }: Parsed, root: string): Pick<ResolvedOptions, 'cacheDir' | 'workDir'> {
  const given = typeof cache === 'boolean' || cache.dir === undefined ? undefined : path.resolve(root, cache.dir)
  const project = projectFolder(root) ?? root
  return {
    cacheDir: realPath(given ?? projectCacheFolder(project)),
    workDir: realPath(given ?? path.join(project, 'node_modules', '.cache', 'pixpress')),
  }
}

function reportFiles({ report }: Parsed, root: string): ResolvedOptions['report'] {
  const { json, html, baseline } = typeof report === 'boolean' ? {} : report
  return {
    terminal: report !== false,
    json: json && path.resolve(root, json),
    html: html && path.resolve(root, html),
    baseline: baseline === true,
  }
}

/**
 * Resolves symbolic links in a path, as bundlers do: behind a link (a linked `node_modules`, `/tmp` of macOS) files of
 * the cache would not be recognised, and would be worked on again. Parts that do not exist yet stay as they are.
 */
function realPath(folder: string): string {
  const parent = path.dirname(folder)
  try {
    return realpathSync(folder)
  } catch {
    // A folder that may not be looked at stays as it is: the work that needs it reports the error.
    return parent === folder ? folder : path.join(realPath(parent), path.basename(folder))
  }
}
