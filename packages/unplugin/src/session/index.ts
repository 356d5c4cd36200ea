import { createImageStore, openRemoteEngine } from '@pixpress/core/internal'
import { createProgress } from '@pixpress/core/report'
import { diskFiles } from '../base/files.ts'
import { relativePath } from '../base/paths.ts'
import { createRemoteImages } from './remote/remote-images.ts'
import { createTextures } from '../textures/textures.ts'
import { keepTypes } from '../types/keep-types.ts'
import { assembleSession } from './assemble.ts'
import { createEncoder } from './encode/encoder.ts'
import { createImageFiles } from './encode/image-folder.ts'
import { keepLock } from './encode/keep-lock.ts'
import { createSettledBytes } from './encode/settled-bytes.ts'
import { openOptimizer } from './encode/open-optimizer.ts'
import { loadRemoteClient } from './encode/remote-client.ts'
import type { ResolvedOptions } from './options/options.ts'
import { createImageOptions } from './plan/image-operations.ts'
import { createPlanner } from './plan/planner.ts'
import { createBaselines } from './report/baselines.ts'
import { createReportLog } from './report/report-log.ts'
import { createWorthFinder } from './report/worth.ts'
import type { Session } from './session.ts'

/**
 * Puts the steps of a session together: plan, encode, report.
 * @param load gives the client of the remote interface, where the options want one
 * @param targets the bundler's own, as for `resolvePluginOptions`
 */
export function createSession(
  options: ResolvedOptions,
  load: typeof loadRemoteClient = loadRemoteClient,
  targets: readonly string[] = [],
): Session {
  const progress = createProgress({ enabled: options.report.terminal })
  const log = createReportLog(options, progress)
  const warn = (message: string): void => log.warning(message)
  const remote = options.remote && openRemoteEngine(options.remote, { load, onWarning: warn })
  const optimizer = openOptimizer(options, remote, warn)
  const textures = createTextures(options.root)
  const asked = createImageOptions(options, textures)
  const planner = createPlanner({ options, optimizer, asked, warn })
  const types = keepTypes(options, {
    resolve: (query, source, file) => planner.resolve({ query, source, file, bytes: () => diskFiles.readFile(file) }),
    probe: async (file) => planner.probe(await diskFiles.readFile(file), relativePath(options.root, file)),
    onProblem: warn,
  })
  const lock = keepLock(options, {
    optimizer,
    isByService: (type) => remote?.accepts(type) === true,
    onWarning: warn,
  })
  const remoteImages = createRemoteImages({ options, lock, log })
  const encoder = createEncoder({ options, log, progress, lock })
  const baselines = createBaselines(options, optimizer, log)
  const settled = createSettledBytes()
  const findWorth = createWorthFinder({ options, optimizer, asked, recipes: planner.recipes, targets })
  const files = createImageFiles(options)
  const store = options.store && createImageStore(options.store)
  const steps = {
    remoteImages,
    options,
    log,
    optimizer,
    textures,
    planner,
    types,
    lock,
    encoder,
    settled,
    baselines,
    findWorth,
  }
  return assembleSession({ ...steps, files, store, remote })
}
