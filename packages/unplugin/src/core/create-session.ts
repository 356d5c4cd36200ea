import { createHash } from 'node:crypto'
import path from 'node:path'
import {
  PixpressError,
  availableCpus,
  createImageStore,
  createMemoryCache,
  createOptimizer,
  detectType,
  openRemoteEngine,
  readWholeFile,
  resizedSize,
} from '@pixpress/core'
import type { InputType, Operations, OptimizeResult, Optimizer, ProbeResult } from '@pixpress/core'
import { createProgress, visibleText } from '@pixpress/core/report'
import { mimeType } from './data-url.ts'
import { parseQuery } from './directives/query.ts'
import { resolveDirectives } from './directives/resolve.ts'
import { createFilter } from './filter.ts'
import { createImageFolder } from './image-folder.ts'
import { extensionOf, mirroredFolder, typeByName } from './image-name.ts'
import type { ResolvedOptions } from './options.ts'
import { relativePath } from './relative-path.ts'
import { loadRemoteClient } from './remote-client.ts'
import { createReportLog } from './report/log.ts'
import type { FinishedImage, ImageUse, PlannedImage, Session, Warn } from './session.ts'

/** @param load gives the client of the remote interface, where the options want one */
export function createSession(options: ResolvedOptions, load: typeof loadRemoteClient = loadRemoteClient): Session {
  const remote =
    options.remote && openRemoteEngine(options.remote, { load, onWarning: (message) => log.warning(message) })
  const optimizer: Optimizer = createOptimizer({
    ...(remote !== undefined && { engine: remote }),
    cache: options.persistent
      ? { dir: options.cacheDir, ...(options.maxCacheSize !== undefined && { maxSize: options.maxCacheSize }) }
      : createMemoryCache(),
    ...(options.concurrency !== undefined && { concurrency: options.concurrency }),
    limits: options.limits,
    onWarning: (message) => log.warning(message),
  })
  const progress = createProgress({
    enabled: options.report.terminal,
    concurrency: options.concurrency ?? availableCpus(),
  })
  const log = createReportLog(options, progress)
  const filter = createFilter({
    include: options.include,
    exclude: options.exclude,
    root: options.root,
    cacheDir: options.cacheDir,
  })
  const recipes = new Map<string, { file: string; use: ImageUse; extra: Operations | undefined }>()
  const sources = new Map<string, string>()
  const folder = createImageFolder(path.join(options.cacheDir, 'files'))
  const store = options.store && createImageStore(options.store)
  /** Images being encoded. */
  let running = 0
  /** Builds that are still to end before the report. */
  let joined = 0

  function planBytes(file: string, source: Uint8Array, use: ImageUse = 'content', extra?: Operations): PlannedImage {
    const shown = relativePath(options.root, file)
    const sourceExtension = path.extname(file).slice(1).toLowerCase()
    const stem = path.basename(file, path.extname(file))
    let planned: PlannedImage
    try {
      const plan = optimizer.plan(source, operationsFor(detectType(source), use, options, extra), { file: shown })
      const [type, ...others] = plan.types
      const resize = plan.operations.resize
      const width = resize?.width !== undefined && extra?.resize !== undefined ? `-${resize.width}` : ''
      planned = {
        id: plan.key.slice(0, 16),
        file,
        source,
        stem: stem + width,
        extension: others.length === 0 && type !== undefined ? extensionOf(type, sourceExtension) : undefined,
        plan,
        problem: undefined,
      }
    } catch (error) {
      if (!(error instanceof PixpressError) || error.code === 'INVALID_OPTION') throw error
      planned = {
        id: identity(source),
        file,
        source,
        stem,
        extension: sourceExtension,
        plan: undefined,
        problem: error,
      }
    }
    recipes.set(planned.id, { file, use, extra })
    return planned
  }

  async function finish(planned: PlannedImage, warn: Warn): Promise<FinishedImage> {
    const { plan, file } = planned
    if (plan === undefined) return broken(planned, planned.problem!, warn)
    log.begin()
    progress.begin(planned.id, file)
    running++
    try {
      const result = await optimizer.materialize(plan)
      for (const note of result.notes) tell(warn, `${relativePath(options.root, file)}: ${note}`)
      log.image(planned, result)
      return finished(planned, result)
    } catch (error) {
      if (error instanceof PixpressError) return broken(planned, error, warn)
      throw error
    } finally {
      running--
      progress.end(planned.id)
    }
  }

  function broken(planned: PlannedImage, error: PixpressError, warn: Warn): FinishedImage {
    const shown = relativePath(options.root, planned.file)
    if (options.onError === 'error' || !isAboutTheImage(error)) {
      progress.clear()
      throw new PixpressError(error.code, `${shown}: ${error.message}`, { file: shown, cause: error.cause })
    }
    // The decoder's own words differ from one attempt to the next, so they cannot tell whether this was said before.
    tell(warn, `${shown}: ${error.message} The original is kept.`, `${error.code} ${shown}`)
    log.failure(planned, error)
    return asIs(planned)
  }

  /** Once in a build, however many references and variants have the problem. */
  function tell(warn: Warn, message: string, key: string = message): void {
    log.once(key, () => warn(visibleText(message)))
  }

  async function planFile(file: string, use?: ImageUse, operations?: Operations): Promise<PlannedImage> {
    return planBytes(file, (await readWholeFile(file)).bytes, use, operations)
  }

  /** A broken image has no size and the type its name speaks of: enough to refuse bad directives, and to keep the original. */
  async function probeOrGuess(bytes: Uint8Array, file: string): Promise<ProbeResult> {
    try {
      return await optimizer.probe(bytes, { file })
    } catch (error) {
      if (!(error instanceof PixpressError)) throw error
      const size = bytes.length
      return { type: typeByName(file), width: 0, height: 0, size, hasAlpha: false, frames: 1, orientation: 1, depth: 8 }
    }
  }

  async function writeToFile(image: FinishedImage): Promise<string> {
    const { id, file } = image.planned
    const name = path.join(mirroredFolder(relativePath(options.root, path.dirname(file))), image.name)
    const written = await folder.write(id, name, image.data)
    sources.set(written, file)
    return written
  }

  return {
    options,
    log,
    matches: filter,
    parseQuery,
    plan: planFile,
    planBytes,
    finish,
    async planRequest(file, query) {
      const bytes = (await readWholeFile(file)).bytes
      const shown = relativePath(options.root, file)
      const source = await probeOrGuess(bytes, shown)
      const request = resolveDirectives(query, {
        presets: options.presets,
        defaults: options.operations,
        source,
        file: shown,
      })
      return {
        request,
        source,
        images: request.variants.map((variant) => planBytes(file, bytes, 'content', variant.operations)),
      }
    },
    async finishToFile(planned, warn) {
      const image = await finish(planned, warn)
      return { ...image, path: await writeToFile(image) }
    },
    writeToFile,
    async original(file) {
      const source = (await readWholeFile(file)).bytes
      return asIs({
        id: identity(source),
        file,
        source,
        stem: path.basename(file, path.extname(file)),
        extension: path.extname(file).slice(1),
        plan: undefined,
        problem: undefined,
      })
    },
    async planned(id) {
      const recipe = recipes.get(id)
      return recipe === undefined ? undefined : planFile(recipe.file, recipe.use, recipe.extra)
    },
    async expect(planned) {
      const { plan } = planned
      if (plan === undefined) return { width: 0, height: 0, type: 'application/octet-stream' }
      const source = await probeOrGuess(planned.source, plan.file ?? planned.file)
      const { resize } = plan.operations
      const size = resizedSize(source, resize)
      const type = plan.types[0] ?? plan.type
      // Whether an object stands free, and gets ground around it, only decoding tells.
      const mayGrow = resize?.method === 'thumb' && (resize.width > source.width || resize.height > source.height)
      if (!mayGrow) return { ...size, type }
      const { width, height } = await optimizer.materialize(plan).then(
        ({ info }) => info,
        // It will be told where the image itself is asked for.
        () => size,
      )
      return { width, height, type }
    },
    async stored(image) {
      const { planned, data, name } = image
      return store?.put({ data, type: mimeType(image), name, source: relativePath(options.root, planned.file) })
    },
    sourceOf: (written) => sources.get(path.normalize(written)),
    joinBuilds(count) {
      joined = count
    },
    async endBuild() {
      joined = Math.max(0, joined - 1)
      if (joined > 0) return
      try {
        const used = await remote?.endBuild()
        await log.finish(used, await store?.finish())
      } finally {
        await folder.sweep(options.maxCacheSize ?? 1024 ** 3)
        // Another build of this process may still be at work on them.
        if (running === 0) await optimizer.close()
      }
    },
  }
}

/** What the project's options come to for one kind of image and use: vectors are only compressed, icons and public files keep their type. */
function operationsFor(
  type: InputType | undefined,
  use: ImageUse,
  options: ResolvedOptions,
  extra: Operations | undefined,
): Operations {
  if (extra !== undefined) return extra
  const { convert, ...others } = options.operations
  if (type === 'image/svg+xml') return {}
  const converts =
    convert !== undefined && use !== 'public' && use !== 'typed' && (use !== 'icon' || options.convertIcons)
  return converts ? { ...others, convert } : others
}

function finished(planned: PlannedImage, { data, info }: OptimizeResult): FinishedImage {
  const extension = extensionOf(info.type, path.extname(planned.file).slice(1).toLowerCase())
  return {
    planned,
    data,
    type: info.type,
    name: `${planned.stem}.${extension}`,
    width: info.width,
    height: info.height,
  }
}

function asIs(planned: PlannedImage): FinishedImage {
  return {
    planned,
    data: planned.source,
    type: planned.plan?.type ?? 'application/octet-stream',
    name: path.basename(planned.file),
    width: 0,
    height: 0,
  }
}

/** A service that must be used and cannot be is no image's fault. */
const isAboutTheImage = ({ code }: PixpressError): boolean => code !== 'REMOTE_UNAVAILABLE' && code !== 'INVALID_OPTION'

/** Stands in for the identity of bytes that have no plan. */
const identity = (source: Uint8Array): string => createHash('sha256').update(source).digest('hex').slice(0, 16)
