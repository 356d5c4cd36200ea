import { toHtml } from 'unplugin-pixpress/html'

/** The markup of an import: `as=picture` gives an object, and a plain import a URL. */
export function picture(image, alt, sizes = '(min-width: 60rem) 24rem, 100vw') {
  if (typeof image === 'string') return `<img src="${image}" alt="${alt}" loading="lazy">`
  return toHtml(image, { alt, sizes })
}
