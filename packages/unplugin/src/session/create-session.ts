import path from 'node:path'
import { PixpressError, detectType } from '@pixpress/core'
import { createImageStore, openRemoteEngine } from '@pixpress/core/internal'
import type { OptimizeResult, Operations, ProbeResult } from '@pixpress/core'
import { createProgress, visibleText, weightOf } from '@pixpress/core/report'
import { asksForAutoWidths } from '../directives/auto-widths.ts'
import { defaultDirectivesFor } from '../directives/default-directives.ts'
import { placeholdersOf } from '../directives/placeholders.ts'
import type { ImageQuery } from '../directives/query.ts'
import { resolveDirectives } from '../directives/resolve.ts'
import type { DirectiveRequest } from '../directives/resolve.ts'
import type { ImageUse } from '../references/types.ts'
import { auditOf } from './audit.ts'
import { asImagetools, createBaselines } from './baselines.ts'
import { byteCurveOf } from './byte-curve.ts'
import { mimeType } from './data-url.ts'
import { diskFiles } from './files.ts'
import type { Files } from './files.ts'
import { expectedImage } from './expected-image.ts'
import { failsBuild } from './failures.ts'
import { createFilter } from './filter.ts'
import { focusOf } from './focus.ts'
import { createOperations } from './image-operations.ts'
import { createImageFolder } from './image-folder.ts'
import { finishedImage, untouchedImage, withPlan, withoutPlan } from './images.ts'
import type { FinishedImage, PlannedImage, Warn } from './images.ts'
import { createOffers } from './offers.ts'
import { openOptimizer } from './open-optimizer.ts'
import type { ResolvedOptions } from './options.ts'
import { mirroredFolder, relativePath } from './paths.ts'
import { createProbe } from './probe.ts'
import { loadRemoteClient } from './remote-client.ts'
import { createReportLog } from './report-log.ts'
import { keepLock } from './keep-lock.ts'
import { keepTypes } from './keep-types.ts'
import type { Session } from './session.ts'
import { createWorthFinder } from './worth.ts'
import { createTextures } from '../textures/textures.ts'

/**
 * @param load gives the client of the remote interface, where the options want one
 * @param targets the bundler's own, as for `resolveOptions`
 */
export function createSession(
  options: ResolvedOptions,
  load: typeof loadRemoteClient = loadRemoteClient,
  targets: readonly string[] = [],
): Session {
  const remote =
    options.remote && openRemoteEngine(options.remote, { load, onWarning: (message) => log.warning(message) })
  const optimizer = openOptimizer(options, remote, (message) => log.warning(message))
  const probeOrGuess = createProbe(optimizer)
  const progress = createProgress({ enabled: options.report.terminal })
  const log = createReportLog(options, progress)
  const { include, exclude, root, workDir: cacheDir } = options
  const filter = createFilter({ include, exclude, root, cacheDir })
  const textures = createTextures(options.root)
  const asked = createOperations(options, textures)
  const recipes = new Map<string, { file: string; use: ImageUse; extra: Operations | undefined }>()
  const findWorth = createWorthFinder({ options, optimizer, asked, recipes, targets })
  const offers = createOffers({ options, log, asked, planBytes, finish, encode })
  const sources = new Map<string, string>()
  const baselines = createBaselines(options, optimizer, log)
  const audited = auditOf(options.root, (message) => log.warning(message))
  const folder = createImageFolder(path.join(options.workDir, 'files'))
  const store = options.store && createImageStore(options.store)
  const resolve = async (
    query: ImageQuery,
    source: ProbeResult,
    file: string,
    bytes: () => Promise<Uint8Array>,
    use: ImageUse = 'content',
  ): Promise<DirectiveRequest> => {
    const { presets, compat, defaultDirectives, lqip } = options
    const outputs = Object.keys(options.outputs)
    const fallback = await defaultDirectivesFor(query, file, defaultDirectives, () => Promise.resolve(source))
    const shown = relativePath(options.root, file)
    const isAuto = asksForAutoWidths(query, presets, fallback)
    const drawn = isAuto ? (await audited()).get(shown) : undefined
    const curve = isAuto && drawn === undefined ? await byteCurveOf(optimizer, bytes, source, shown) : undefined
    const read = { presets, lqip, source, curve, drawn, compat, outputs, fallback, file: shown }
    const usual = asked.usual(file, use)
    const offered = asked.besides(file)
    const single = resolveDirectives(query, { ...read, defaults: usual })
    // A picture has a source for each type, so it needs no browser to read them all.
    if (single.output.as !== 'picture' || offered.length === 0) return single
    return resolveDirectives(query, { ...read, defaults: { ...usual, convert: { type: offered } } })
  }
  const types = keepTypes(options, {
    resolve: (query, source, file) => resolve(query, source, file, () => diskFiles.readFile(file)),
    probe: async (file) => probeOrGuess(await diskFiles.readFile(file), relativePath(options.root, file)),
    onProblem: (message) => log.warning(message),
  })
  const lock = keepLock(options, {
    optimizer,
    isByService: (type) => remote?.accepts(type) === true,
    onWarning: (message) => log.warning(message),
  })
  /** Results of trials in this build that were not in the cache, by identity and without their bytes. */
  const tried = new Map<string, OptimizeResult>()
  /** Images being encoded. */
  let running = 0
  /** Builds that are still to end before the report. */
  let joined = 0

  function planBytes(file: string, source: Uint8Array, use: ImageUse = 'content', extra?: Operations): PlannedImage {
    const shown = relativePath(options.root, file)
    const { operations, ...why } = extra === undefined ? asked.of(file, detectType(source), use) : { operations: extra }
    let planned: PlannedImage
    try {
      const plan = optimizer.plan(source, operations, { file: shown })
      planned = { ...withPlan(plan, file, source, extra?.resize !== undefined), ...why }
    } catch (error) {
      if (!(error instanceof PixpressError) || error.code === 'INVALID_OPTION') throw error
      planned = withoutPlan(file, source, { extension: path.extname(file).slice(1).toLowerCase(), problem: error })
    }
    const known = recipes.get(planned.id)?.use
    // The same image as an icon and as content of a page: it is content.
    if (known !== 'content' && known !== 'beside') recipes.set(planned.id, { file, use, extra })
    return planned
  }

  async function finish(planned: PlannedImage, warn: Warn): Promise<FinishedImage> {
    const image = await encode(planned, warn)
    const recipe = recipes.get(planned.id)
    offers.note(image, recipe)
    if (options.compat && recipe?.extra !== undefined) await asImagetools(planned, baselines)
    return image
  }

  /** @param isUsed whether a result is part of the build; the report is told of those alone */
  async function encode(
    planned: PlannedImage,
    warn: Warn,
    isUsed: (result: OptimizeResult) => boolean = () => true,
  ): Promise<FinishedImage> {
    const { plan, file, source, reason } = planned
    if (plan === undefined) return broken(planned, planned.problem!, warn)
    log.begin()
    progress.begin(planned.id, file, source.length, progress.isShown ? weightOf(source, source.length) : undefined)
    running++
    try {
      const made = await lock.materialize(plan, file, planned.lqip)
      for (const note of isUsed(made) ? made.notes : []) tell(warn, `${relativePath(options.root, file)}: ${note}`)
      if (isUsed(made)) {
        const first = tried.get(planned.id) ?? made
        log.image(planned, reason === undefined ? first : { ...first, notes: [...first.notes, reason] })
        lock.note(plan, file, made)
      }
      return finishedImage(planned, made)
    } catch (error) {
      // What is wrong with the lock is no fault of this image.
      if (error instanceof PixpressError && error.code !== 'LOCK_INVALID') return broken(planned, error, warn)
      throw error
    } finally {
      running--
      progress.end(planned.id)
    }
  }

  function broken(planned: PlannedImage, error: PixpressError, warn: Warn): FinishedImage {
    const shown = relativePath(options.root, planned.file)
    if (error.code === 'NOT_CACHED') {
      // The build is to name all that is missing, so it goes on until its end.
      tell(warn, `${shown}: ${error.message} The original stands in for it, and the build will fail.`, error.code)
      return { ...untouchedImage(planned), missing: error }
    }
    if (failsBuild(error, options)) {
      progress.clear()
      if (error.code === 'MACHINE_UNFIT') throw error
      throw new PixpressError(error.code, `${shown}: ${error.message}`, { file: shown, cause: error.cause })
    }
    // The decoder's own words differ from one attempt to the next, so they cannot tell whether this was said before.
    tell(warn, `${shown}: ${error.message} The original is kept.`, `${error.code} ${shown}`)
    log.failure(planned, error)
    return untouchedImage(planned)
  }

  /** Once in a build, however many references and variants have the problem. */
  function tell(warn: Warn, message: string, key: string = message): void {
    log.once(key, () => warn(visibleText(message)))
  }

  async function writeToFile(image: FinishedImage): Promise<string> {
    const { id, file } = image.planned
    const name = path.join(mirroredFolder(relativePath(options.root, path.dirname(file))), image.name)
    const written = await folder.write(id, name, image.data)
    sources.set(written, file)
    return written
  }

  const shared = {
    options,
    log,
    besides: offers.besides,
    baselines,
    types: types?.writer,
    matches: filter,
    expectCopies: textures.expectCopies,
    planBytes,
    finish,
    async serve(planned, warn) {
      const image = await finish(planned, warn)
      if (image.missing !== undefined) throw image.missing
      return image
    },
    trial: (planned, warn) =>
      encode(planned, warn, (made) => {
        // The build that uses it finds it in the cache, where this one puts it.
        if (!made.cached) tried.set(planned.id, { ...made, data: new Uint8Array() })
        return false
      }),
    writeToFile,
    async placeholder({ plan, lqip }) {
      if (plan === undefined || lqip === undefined) return undefined
      return optimizer.placeholder(plan, lqip).catch(() => undefined)
    },
    expect: (planned) => expectedImage(planned, probeOrGuess, lock),
    async stored(image) {
      const { planned, data, name } = image
      return store?.put({ data, type: mimeType(image), name, source: relativePath(options.root, planned.file) })
    },
    refineNext: () => lock.refineNext(),
    others: async () => (await findWorth(log.images(), false)).others,
    sourceOf: (written) => sources.get(path.normalize(written)),
    joinBuilds(count) {
      joined = count
    },
    async endBuild(build?: string) {
      joined = Math.max(0, joined - 1)
      if (joined > 0) return
      try {
        await types?.flush()
        await lock.flush(build)
        const used = await remote?.endBuild()
        await log.finish(used, await store?.finish(), findWorth)
        optimizer.assertComplete()
      } finally {
        textures.forget()
        tried.clear()
        await folder.sweep(options.cache.maxSize ?? 1024 ** 3)
        await offers.besides.sweep()
        // Another build of this process may still be at work on them.
        if (running === 0) await optimizer.close()
      }
    },
  } satisfies Partial<Session>

  function withFiles(files: Files): Session {
    const plan: Session['plan'] = async (file, use, operations) =>
      planBytes(file, await files.readFile(file), use, operations)
    return {
      ...shared,
      files,
      withFiles,
      plan,
      async hasDefaults(file, query) {
        const shown = relativePath(options.root, file)
        const probe = async (): Promise<ProbeResult> => probeOrGuess(await files.readFile(file), shown)
        const given = defaultDirectivesFor(query, file, options.defaultDirectives, probe)
        return given.then(
          ({ size }) => size > 0,
          (error: unknown) => {
            // An id that only looks like a file: another plugin's.
            if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
            throw error
          },
        )
      },
      async planRequest(file, query, use = 'content') {
        const bytes = await files.readFile(file)
        const shown = relativePath(options.root, file)
        const source = await probeOrGuess(bytes, shown)
        const focused = { ...source, ...(await focusOf(files, file, bytes, source, query, shown)) }
        const request = await resolve(query, focused, file, () => Promise.resolve(bytes), use)
        types?.note(file, query)
        const shownFirst = placeholdersOf(request)
        const images = request.variants.map(({ operations }, index) => ({
          ...planBytes(file, bytes, use, operations),
          header: source,
          ...shownFirst[index],
        }))
        return { request, source, images }
      },
      async original(file) {
        const extension = path.extname(file).slice(1)
        return untouchedImage(withoutPlan(file, await files.readFile(file), { extension, problem: undefined }))
      },
      async planned(id) {
        const recipe = recipes.get(id)
        return recipe === undefined ? undefined : plan(recipe.file, recipe.use, recipe.extra)
      },
    }
  }

  return withFiles(diskFiles)
}
