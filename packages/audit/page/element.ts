import type { Candidate } from '../src/visit/page-facts.ts'

/** Makes a URL absolute. Text that is no URL stays as it is. */
export const absolute = (url: string): string =>
  URL.canParse(url, document.baseURI) ? new URL(url, document.baseURI).href : url

const shortened = (text: string): string =>
  text.replaceAll(/data:[^"' )]{40,}/g, (data) => `${data.slice(0, 40)}…`).replaceAll(/\s+/g, ' ')

/** Returns the opening tag of an element, with `data:` URLs shortened. */
export const tagOf = (element: Element): string =>
  shortened((element.cloneNode(false) as Element).outerHTML.replace(/<\/[\w-]+>$/, '')).slice(0, 300)

/** Returns a selector: the way to the element from the body, or from the nearest element with an id of its own. */
export function pathOf(element: Element): string {
  const names: string[] = []
  let at: Element | null = element
  while (at !== null && at !== document.documentElement && at !== document.body) {
    const { id, localName, parentElement }: Element = at
    if (id !== '' && document.querySelectorAll(`#${CSS.escape(id)}`).length === 1) {
      names.unshift(`#${id}`)
      break
    }
    const alike = [...(parentElement?.children ?? [])].filter((each) => each.localName === localName)
    names.unshift(localName + (alike.length > 1 ? `:nth-of-type(${alike.indexOf(at) + 1})` : ''))
    at = parentElement
  }
  return names.join(' > ')
}

/** Returns the candidates of a `srcset`. */
export function candidatesOf(srcset: string | null): Candidate[] {
  const found = (srcset ?? '').matchAll(/\s*(\S*[^,\s])(?:\s+([^,]+))?\s*(?:,|$)/g)
  return [...found].map(([, url = '', descriptor = '1x']) => {
    const [, number, unit] = /([\d.]+)([wx])/.exec(descriptor) ?? []
    return { url: absolute(url), ...(unit === 'w' ? { width: Number(number) } : { density: Number(number ?? 1) }) }
  })
}

/** Returns whether the element is neither hidden nor wholly transparent. */
export const isVisible = (element: Element): boolean =>
  element.checkVisibility({ opacityProperty: true, visibilityProperty: true })

/** Reads a computed length in pixels of CSS; 0 for a keyword. */
export const lengthOf = (text: string): number => Number.parseFloat(text) || 0
