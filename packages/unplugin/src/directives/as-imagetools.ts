import type { ImageQuery } from './query.ts'
import type { Dimensions } from './rows.ts'

type Directives = ImageQuery['directives']

/**
 * Directives as imagetools reads what is written loosely: a width or height of nothing or 0 is the source's own
 * (`w=300;600;`), and beside `as` the words `metadata` and `meta` say nothing.
 */
export function asImagetools(directives: Directives, source: Dimensions): Directives {
  const read = new Map(directives)
  for (const [name, most] of [
    ['w', source.width],
    ['h', source.height],
  ] as const) {
    const sizes = read.get(name)
    if (sizes !== undefined && most > 0)
      read.set(
        name,
        sizes.map((size) => (/^0*$/.test(size) ? String(most) : size)),
      )
  }
  const shapes = read.get('as')
  if (shapes !== undefined && shapes.length > 1)
    read.set('as', [shapes.find((shape) => !/^meta(?:data)?(?::|$)/.test(shape)) ?? shapes[0]!])
  return read
}
