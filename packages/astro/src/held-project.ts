import type { Options } from 'unplugin-pixpress/vite'

/** What the integration was given, for the service that Astro loads by its name and hands nothing but JSON. */
export interface HeldProject {
  readonly options: Options
  /** Absolute path of the project. */
  readonly root: string
  /** Whether a dev server serves it, so that no build comes to an end. Default `false`. */
  readonly isServed?: boolean
  /** Sources of images in the output, absolute paths by their names there. Default: none are known. */
  readonly emitted?: ReadonlyMap<string, string>
}

/** Global, as Vite may load this module once for the configuration and once for pages. */
const HELD = Symbol.for('pixpress.astro')

/** What the report calls the tool whose place is taken. */
export const ASTRO = 'Astro'

/** Services of Astro's own, whose place is taken. */
export const DEFAULT_SERVICES: readonly string[] = ['astro/assets/services/sharp', 'astro/assets/services/noop']

export function hold(project: HeldProject): void {
  ;(globalThis as { [HELD]?: HeldProject })[HELD] = project
}

/** The project that is built or served by this process; on a deployed server there is none. */
export const held = (): HeldProject | undefined => (globalThis as { [HELD]?: HeldProject })[HELD]
