/** A window that a page is shown in. */
export interface Viewport {
  /** CSS pixels. */
  readonly width: number
  readonly height: number
  /** Pixels of the screen for each of CSS. */
  readonly ratio: number
}

/** A telephone, a tablet and a laptop. */
export const VIEWPORTS: readonly Viewport[] = [
  { width: 390, height: 844, ratio: 3 },
  { width: 768, height: 1024, ratio: 2 },
  { width: 1280, height: 800, ratio: 2 },
]
