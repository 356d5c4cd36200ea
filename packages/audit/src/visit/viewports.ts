import { UsageError } from '@pixpress/core/internal'

/** A window in which pages are audited. */
export interface Viewport {
  /** The viewport as the person wrote it: `1280@2`. */
  readonly name: string
  /** Pixels of CSS. */
  readonly width: number
  readonly height: number
  /** Pixels of the device for one of CSS. */
  readonly ratio: number
}

/** A phone, a tablet, and a laptop of high density. */
export const DEFAULT_VIEWPORTS = '390@2,768,1280@2'

/** Up to this width, viewports without a height are upright. */
const WIDEST_UPRIGHT = 800

/** `390`, `1280@2`, `390x844@3`, with commas. @throws UsageError */
export function parseViewports(text: string): readonly Viewport[] {
  const viewports = text.split(',').map((each) => parseViewport(each.trim()))
  const names = viewports.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new UsageError(`'--viewports' has '${twice}' twice.`)
  return viewports
}

function parseViewport(name: string): Viewport {
  const [, across, down, density] = /^(\d{2,4})(?:x(\d{2,4}))?(?:@(\d(?:\.\d+)?))?$/.exec(name) ?? []
  const width = Number(across)
  const ratio = density === undefined ? 1 : Number(density)
  if (across === undefined || width < 50 || ratio < 0.5 || ratio > 5) {
    throw new UsageError(
      `Expected widths such as 390, 1280@2 or 390x844@3, with commas, for '--viewports' but received '${name}'.`,
    )
  }
  const usual = width <= WIDEST_UPRIGHT ? Math.round(width * 2) : Math.round((width * 5) / 8)
  const height = down === undefined ? Math.min(usual, 1024) : Number(down)
  return { name, width, height, ratio }
}
