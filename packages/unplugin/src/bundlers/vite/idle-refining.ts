import type { Plugin } from 'vite'
import type { ProjectHolder } from './project.ts'

/** Milliseconds without a request after which a dev server counts as idle. */
const QUIET = 10_000

/**
 * Makes the final results of drafts while nobody asks a dev server for anything, one at a time. Only with `firstBuild`.
 * @param quiet milliseconds without a request
 */
export function idleRefining(holder: ProjectHolder, quiet: number = QUIET): Plugin {
  let timer: NodeJS.Timeout | undefined
  let isOpen = false
  let lastRequest = 0
  let isRefining = false

  function wait(): void {
    clearTimeout(timer)
    if (isOpen) timer = setTimeout(() => void refine(), quiet).unref()
  }

  const isIdle = (): boolean => isOpen && performance.now() - lastRequest >= quiet

  async function refine(): Promise<void> {
    if (isRefining) return
    isRefining = true
    try {
      let hasMore = true
      while (hasMore && isIdle()) hasMore = await holder.current.session.refineNext()
      // A browser may ask for something that becomes a draft.
      if (hasMore) wait()
    } catch (error) {
      holder.current.warn(error instanceof Error ? error.message : String(error))
    } finally {
      isRefining = false
    }
  }

  return {
    name: 'pixpress:refine',
    apply: 'serve',
    configureServer({ middlewares }) {
      if (holder.current.session.options.firstBuild === undefined) return
      isOpen = true
      lastRequest = performance.now()
      middlewares.use((_request, _response, next) => {
        lastRequest = performance.now()
        wait()
        next()
      })
      wait()
    },
    buildEnd() {
      isOpen = false
      clearTimeout(timer)
    },
  }
}
