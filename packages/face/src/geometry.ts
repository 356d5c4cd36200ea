/** A width and a height. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** How large a picture is shown: filling the stage, or in device pixels for each of its own. */
export type Zoom = 'fit' | '1' | '2' | '4'

/** All zooms, the smallest first. */
export const ZOOMS: readonly Zoom[] = ['fit', '1', '2', '4']

/** The most that `fit` enlarges a picture: an icon would be nothing but its pixels. */
const MOST_ENLARGED = 2

/**
 * Returns the size of a picture on the stage, in CSS pixels.
 * @param ratio device pixels in one of CSS
 */
export function shownSize(picture: Size, stage: Size, zoom: Zoom, ratio: number): Size {
  const scale =
    zoom === 'fit'
      ? Math.min(stage.width / picture.width, stage.height / picture.height, MOST_ENLARGED)
      : Number(zoom) / ratio
  return { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) }
}

/** Where a part of a line begins and ends. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Returns what two spans share, which is where a picture can be seen; empty at the first one's start where nothing. */
export function shared(one: Span, other: Span): Span {
  const start = Math.max(one.start, other.start)
  return { start, end: Math.max(start, Math.min(one.end, other.end)) }
}

/** Returns a share between 0 and 1, which is as close to the value as can be. */
export const clamped = (share: number): number => Math.min(1, Math.max(0, share))

/** Shares of the picture by which keys move the divider. Shift takes ten such steps. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -0.01,
  ArrowDown: -0.01,
  ArrowRight: 0.01,
  ArrowUp: 0.01,
  PageDown: -0.1,
  PageUp: 0.1,
  Home: -1,
  End: 1,
}

/** Returns where a key moves the divider; `undefined` for a key that does not. */
export function moved(at: number, key: string, isTenfold: boolean): number | undefined {
  const step = STEPS[key]
  return step === undefined ? undefined : clamped(Math.round((at + step * (isTenfold ? 10 : 1)) * 100) / 100)
}
