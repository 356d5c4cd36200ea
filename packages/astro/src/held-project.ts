import type { Options } from 'unplugin-pixpress/vite'

/** The integration's options, held for the service: Astro loads that by its name and gives it nothing but JSON. */
export interface HeldProject {
  readonly options: Options
  /** Absolute path of the project. */
  readonly root: string
  /** The targets that the project sets for its scripts, for `convert: 'auto'`. Default: none */
  readonly targets?: readonly string[]
  /** A dev server serves the project, so that no build comes to an end. Default `false`. */
  readonly isServed?: boolean
  /** Sources of images in the output, absolute paths by their names there. Default: none are known. */
  readonly emitted?: ReadonlyMap<string, string>
  /** Counts the images that Astro has the service make. Default: nobody counts. */
  readonly counted?: { made: number }
}

/** Global, as Vite may load this module once for the configuration and once for pages. */
const HELD = Symbol.for('pixpress.astro')

/** The name of the replaced tool in the report. */
export const ASTRO = 'Astro'

/** Services of Astro's own, whose place is taken. */
export const DEFAULT_SERVICES: readonly string[] = ['astro/assets/services/sharp', 'astro/assets/services/noop']

/** Holds the project for the service, which runs in the same process. */
export function hold(project: HeldProject): void {
  ;(globalThis as { [HELD]?: HeldProject })[HELD] = project
}

/** Returns the project that is built or served by this process; on a deployed server there is none. */
export const held = (): HeldProject | undefined => (globalThis as { [HELD]?: HeldProject })[HELD]

/** Images that Astro is about to make in a build, by the URLs of their originals. */
interface AstroAssets {
  readonly staticImages?: ReadonlyMap<string, StaticImage>
}

/** An original, and the images that pages ask of it. */
interface StaticImage {
  readonly originalSrcPath?: string | undefined
  readonly transforms?: ReadonlyMap<string, unknown>
}

/** Returns the images that Astro makes in this build, by the URLs of their originals without the site's base. */
export const staticImages = (): ReadonlyMap<string, StaticImage> =>
  (globalThis as { astroAsset?: AstroAssets }).astroAsset?.staticImages ?? new Map()
