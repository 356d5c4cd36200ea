import type { Session } from '../../session/session.ts'
import { PLUGIN_NAME } from './compiler.ts'
import type { CompilerLike } from './compiler.ts'

/** Compilers at work, by session: client and server are often built at the same time. */
const working = new WeakMap<Session, Set<CompilerLike>>()

/** Ends the session's build when the last compiler that uses it has ended its own. */
export function followBuilds(compiler: CompilerLike, session: Session): void {
  const compilers = working.get(session) ?? new Set()
  working.set(session, compilers)
  const begin = async (): Promise<void> => void compilers.add(compiler)
  const end = async (): Promise<void> => {
    if (compilers.delete(compiler) && compilers.size === 0) await session.endBuild()
  }
  compiler.hooks.run.tapPromise(PLUGIN_NAME, begin)
  compiler.hooks.watchRun.tapPromise(PLUGIN_NAME, begin)
  compiler.hooks.done.tapPromise(PLUGIN_NAME, end)
  compiler.hooks.failed.tap(PLUGIN_NAME, () => {
    end().catch((error: unknown) => {
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
