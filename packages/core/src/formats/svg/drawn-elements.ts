import type { XastElement, XastRoot } from 'svgo'

/** Beyond this, counting ends. */
const MOST = 1_000_000

/**
 * The cost of a filter's primitive in elements, as it goes over every pixel of the picture: at 512 × 512 a blur took
 * half a second on a busy machine, and the others some milliseconds.
 */
const BLUR = 4000
const PRIMITIVE = 500

/** Elements that draw nothing by themselves: what they hold and refer to is read once. */
const LEAVES: ReadonlySet<string> = new Set(['linearGradient', 'radialGradient', 'title', 'desc', 'metadata', 'style'])

/**
 * Returns how many elements a renderer visits: those of the document, and those of what is referred to (`href`,
 * `url(#…)`) each time that it is. A few kilobytes of references to references come to billions.
 */
export function drawnElements(document: XastRoot): number {
  const byId = new Map<string, XastElement>()
  let fromStyles: readonly string[] = []
  collect(document, (element) => {
    const { id } = element.attributes
    if (id !== undefined) byId.set(id, element)
    if (element.name === 'style') {
      for (const child of element.children) {
        if (child.type === 'text' || child.type === 'cdata') {
          fromStyles = [...new Set([...fromStyles, ...targetsIn(child.value)])]
        }
      }
    }
  })

  const counted = new Map<XastElement, number>()
  const open = new Set<XastElement>()

  function count(element: XastElement): number {
    const known = counted.get(element)
    if (known !== undefined) return known
    // A circle of references is drawn once, if at all.
    if (open.has(element)) return 0
    open.add(element)
    let sum = ownCost(element.name)
    if (LEAVES.has(element.name)) return remember(element, sum)
    for (const child of element.children) if (child.type === 'element') sum += count(child)
    for (const id of targetsOf(element, fromStyles)) {
      const target = byId.get(id)
      if (target !== undefined) sum += count(target)
    }
    return remember(element, Math.min(sum, MOST))
  }

  function remember(element: XastElement, sum: number): number {
    open.delete(element)
    counted.set(element, sum)
    return sum
  }

  return document.children.reduce((sum, child) => sum + (child.type === 'element' ? count(child) : 0), 0)
}

function ownCost(name: string): number {
  if (name === 'feGaussianBlur' || name === 'feDropShadow') return BLUR
  return name.startsWith('fe') ? PRIMITIVE : 1
}

/** It is not worked out which rule of a style sheet applies to which element: each could apply to any. */
function targetsOf({ attributes }: XastElement, fromStyles: readonly string[]): Iterable<string> {
  const targets = new Set(fromStyles)
  for (const [key, value] of Object.entries(attributes)) {
    if (/^(?:xlink:)?href$/.test(key) && value.startsWith('#')) targets.add(value.slice(1))
    else for (const id of targetsIn(value)) targets.add(id)
  }
  return targets
}

const targetsIn = (value: string): string[] =>
  [...value.matchAll(/url\(\s*["']?#([^"')\s]+)["']?\s*\)/g)].map(([, id]) => id!)

function collect(parent: XastRoot | XastElement, found: (element: XastElement) => void): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    found(child)
    collect(child, found)
  }
}
