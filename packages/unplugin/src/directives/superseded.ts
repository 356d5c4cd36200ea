import type { InputType } from '@pixpress/core'
import { reachOf } from '@pixpress/core/internal'

/** An image of a set of several types and widths. */
export interface Weighed {
  readonly type: InputType
  readonly width: number
  /** Bytes; absent where it has not been made yet. */
  readonly size?: number
}

/**
 * The types of a picture that no browser should be offered: one after them, which at least as many browsers read, takes
 * no more bytes over the widths that both have. Where bytes are not known yet, as in dev servers, there are none.
 * @param types in the order in which browsers meet them, the fallback last
 */
export function supersededTypes(types: readonly InputType[], images: readonly Weighed[]): ReadonlySet<InputType> {
  const superseded = new Set<InputType>()
  for (const [index, type] of types.entries()) {
    const later = types.slice(index + 1).filter((other) => reachOf(other) >= reachOf(type))
    if (later.some((other) => takesNoMore(other, type, images))) superseded.add(type)
  }
  return superseded
}

function takesNoMore(one: InputType, other: InputType, images: readonly Weighed[]): boolean {
  let difference = 0
  let widths = 0
  for (const { width, size } of images.filter(({ type }) => type === one)) {
    const same = images.find((image) => image.type === other && image.width === width)
    if (same === undefined) continue
    if (size === undefined || same.size === undefined) return false
    difference += size - same.size
    widths++
  }
  return widths > 0 && difference <= 0
}

/**
 * Returns the images of one type that a browser should choose from by their width: without those that take as many
 * bytes as a wider one. A drawing has fewer colours in its own size than scaled down. Where bytes are not known yet,
 * all of them are returned.
 */
export function withoutHeavier<Image extends Weighed>(images: readonly Image[]): readonly Image[] {
  const isHeavier = (image: Image, wider: Image): boolean =>
    wider.width > image.width && image.size !== undefined && wider.size !== undefined && wider.size <= image.size
  return images.filter((image) => !images.some((other) => isHeavier(image, other)))
}
