import type { Optimizer, RemoteEngine } from '@pixpress/core'
import { withoutIt } from '@pixpress/core/internal'
import type { ImageStore } from '@pixpress/core/internal'
import { diskFiles } from '../base/files.ts'
import type { Files } from '../base/files.ts'
import { IMAGE_FILE, relativePath } from '../base/paths.ts'
import type { RemoteImages } from './remote/remote-images.ts'
import type { Textures } from '../textures/textures.ts'
import type { KeptTypes } from '../types/keep-types.ts'
import { mimeType } from './encode/data-url.ts'
import type { Encoder } from './encode/encoder.ts'
import { expectedImage } from './encode/expected-image.ts'
import type { ImageFiles } from './encode/image-folder.ts'
import type { KeptLock } from './encode/keep-lock.ts'
import type { SettledBytes } from './encode/settled-bytes.ts'
import { createEndOfBuild } from './end-of-build.ts'
import type { ResolvedOptions } from './options/options.ts'
import { createFilter } from './plan/filter.ts'
import { untouchedImage } from './plan/images.ts'
import type { FinishedImage, PlannedImage, Warn } from './plan/images.ts'
import { planFiles } from './plan/planner.ts'
import type { Planner } from './plan/planner.ts'
import { measureImagetools } from './report/baselines.ts'
import type { Baselines } from './report/baselines.ts'
import { noteType } from './report/kept-types.ts'
import { createLeftAlone } from './left-alone.ts'
import type { ReportLog } from './report/report-log.ts'
import { createSeenImages } from './report/seen-images.ts'
import type { SeenImages } from './report/seen-images.ts'
import type { FindWorth } from './report/worth.ts'
import type { Session } from './session.ts'
import { mistaken } from '../types/shipped.ts'

/** The steps of a session, and the stores that they share. */
export interface SessionParts {
  readonly options: ResolvedOptions
  readonly log: ReportLog
  readonly optimizer: Optimizer
  readonly remoteImages: RemoteImages
  readonly textures: Textures
  readonly planner: Planner
  readonly types: KeptTypes | undefined
  readonly lock: KeptLock
  readonly encoder: Encoder
  readonly settled: SettledBytes
  readonly baselines: Baselines
  readonly findWorth: FindWorth
  readonly files: ImageFiles
  readonly store: ImageStore | undefined
  readonly remote: RemoteEngine | undefined
}

/** Puts the functions of all steps together into the session that adapters see. */
export function assembleSession(parts: SessionParts): Session {
  const { options, log, optimizer, textures, planner, types, lock, encoder, settled, baselines } = parts
  const { files, store } = parts
  const { include, exclude, root, workDir: cacheDir } = options
  const seen = createSeenImages()
  const isIncluded = createFilter({ include, exclude, root, cacheDir })
  const matches = (file: string): boolean => {
    const isTaken = isIncluded(file)
    if (!isTaken && IMAGE_FILE.test(file)) settled.leave(file)
    return isTaken
  }
  const leftAlone = createLeftAlone(options, { settled, matches: isIncluded })
  const finish = async (planned: PlannedImage, warn: Warn): Promise<FinishedImage> => {
    const image = await encoder.encode(planned, warn)
    settled.add(image.data)
    seen.made(image)
    const recipe = planner.recipes.get(planned.id)
    if (recipe !== undefined) noteType(options, log, image, recipe)
    if (options.compat && recipe?.extra !== undefined) await measureImagetools(planned, baselines)
    return image
  }
  const shared = {
    options,
    log,
    remote: parts.remoteImages,
    baselines,
    seen,
    types: types?.writer,
    matches,
    leftAlone,
    expectCopies: textures.expectCopies,
    planBytes: (...asked) => noted(seen, planner.planBytes(...asked)),
    planInside: (...asked) => noted(seen, { ...planner.planBytes(...asked), isInside: true }),
    finish,
    async serve(planned, warn) {
      const image = await finish(planned, warn)
      if (image.missing !== undefined) throw image.missing
      return image
    },
    trial: encoder.trial,
    writeToFile: files.writeToFile,
    sourceOf: files.sourceOf,
    async placeholder({ plan, lqip }) {
      if (plan === undefined || lqip === undefined) return undefined
      return optimizer.placeholder(plan, lqip).catch(withoutIt)
    },
    expect: (planned) => expectedImage(planned, planner.probe, lock),
    upload: async (image) =>
      store?.put({
        data: image.data,
        type: mimeType(image),
        name: image.name,
        source: relativePath(root, image.planned.file),
      }),
    refineNext: () => lock.refineNext(),
    others: async () => (await parts.findWorth(log.images(), false)).others,
    ...createEndOfBuild({ ...parts, leftAlone }),
  } satisfies Partial<Session>
  return withFiles(shared, parts, diskFiles)
}

type Shared = Omit<Session, keyof Reading>
type Reading = Pick<
  Session,
  'files' | 'withFiles' | 'plan' | 'hasDefaults' | 'planRequest' | 'original' | 'planned' | 'isSettled'
>

/** Adds the functions that read sources, for one place where sources are read. */
function withFiles(shared: Shared, parts: SessionParts, files: Files): Session {
  const { planner, options, types, settled, lock } = parts
  const reader = planFiles(planner, options, files)
  return {
    ...shared,
    files,
    withFiles: (others) => withFiles(shared, parts, others),
    hasDefaults: reader.hasDefaults,
    planned: reader.planned,
    plan: async (...asked) => noted(shared.seen, await reader.plan(...asked)),
    async planRequest(file, query, use) {
      const planned = await reader.planRequest(file, query, use)
      types?.note(file, query)
      for (const image of planned.images) shared.seen.planned(image)
      const note = types === undefined ? mistaken(query, options.root) : undefined
      if (note === undefined) return planned
      const { request } = planned
      return { ...planned, request: { ...request, notes: [...(request.notes ?? []), note] } }
    },
    isSettled: (data) => settled.has(data, files),
    async original(file) {
      settled.leave(file)
      lock.leave(file)
      return untouchedImage(await reader.planOriginal(file))
    },
  }
}

function noted(seen: SeenImages, image: PlannedImage): PlannedImage {
  seen.planned(image)
  return image
}
