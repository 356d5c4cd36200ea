import type { Session } from '../../session/session.ts'
import { IMAGE_FILE } from '../../base/paths.ts'
import { wholeBuild } from '../adapter/whole-build.ts'
import { PLUGIN_NAME } from './compiler.ts'
import type { CompilationLike, CompilerLike } from './compiler.ts'
import { isOfModule } from './emitted-images.ts'

/** Describes what goes on in a session. */
interface Working {
  /** Compilers at work: client and server are often built at the same time. */
  readonly compilers: Set<CompilerLike>
  /** Builds that have ended since the last report; `undefined` for one that may have left out images. */
  readonly ended: (string | undefined)[]
}

const working = new WeakMap<Session, Working>()

/** Ends the session's build when the last compiler that uses it has ended its own. */
export function followBuilds(compiler: CompilerLike, session: Session): void {
  const { compilers, ended } = working.get(session) ?? { compilers: new Set(), ended: [] }
  working.set(session, { compilers, ended })
  let runs = 0
  const begin = async (): Promise<void> => void compilers.add(compiler)
  const end = async (build: string | undefined): Promise<void> => {
    if (!compilers.delete(compiler)) return
    ended.push(build)
    if (compilers.size > 0) return
    const all = ended.splice(0)
    await session.endBuild(all.includes(undefined) ? undefined : JSON.stringify(all.toSorted()))
  }
  compiler.hooks.run.tapPromise(PLUGIN_NAME, () => {
    runs++
    return begin()
  })
  compiler.hooks.watchRun.tapPromise(PLUGIN_NAME, () => {
    runs = Infinity
    return begin()
  })
  compiler.hooks.done.tapPromise(PLUGIN_NAME, (stats) => {
    noteOutput(compiler, stats.compilation, session)
    // A second run of a compiler has modules of the first.
    const isWhole = runs === 1 && !hasKeptModules(compiler) && !stats.hasErrors()
    return end(isWhole ? nameOf(compiler) : undefined)
  })
  compiler.hooks.failed.tap(PLUGIN_NAME, () => {
    end(undefined).catch((error: unknown) => {
      // The build has failed already, and its own error is the one to act on.
      process.emitWarning(error instanceof Error ? error : String(error))
    })
  })
  // A dev server encodes images after its builds have ended.
  compiler.hooks.shutdown.tapPromise(PLUGIN_NAME, async () => {
    compilers.delete(compiler)
    if (compilers.size === 0) await session.endBuild()
  })
}

/** Has the report name the images that nothing has worked on. */
function noteOutput(compiler: CompilerLike, compilation: CompilationLike, { leftAlone }: Session): void {
  const names = Object.keys(compilation.assets).map((name) => name.replace(/\?.*$/, ''))
  // One that is on the disk already is not written again.
  const files = names.map((name) => [name] as const)
  const kept = hasKeptModules(compiler)
    ? names.filter((name) => IMAGE_FILE.test(name) && isOfModule(compilation.getAsset(name)?.info ?? {}))
    : []
  leftAlone.output({ folder: compiler.outputPath, files, kept })
}

function nameOf({ options: { name, mode, target, entry }, outputPath }: CompilerLike): string {
  return wholeBuild('webpack', name, mode, target, outputPath, typeof entry === 'function' ? undefined : entry)
}

/** Tells whether modules outlive the process, whose images then are not asked for. */
const hasKeptModules = ({ options: { cache, experiments } }: CompilerLike): boolean =>
  [cache, experiments?.cache].some(
    (each) => typeof each === 'object' && each !== null && 'type' in each && each.type !== 'memory',
  )
