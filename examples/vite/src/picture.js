/** The markup of an import: `as=picture` gives an object, and a plain import a URL. */
export function picture(image, alt, sizes = '(min-width: 60rem) 24rem, 100vw') {
  if (typeof image === 'string') return `<img src="${image}" alt="${alt}" loading="lazy">`
  const sources = Object.entries(image.sources).map(
    ([type, srcset]) => `<source type="image/${type}" srcset="${srcset}" sizes="${sizes}">`,
  )
  const { src, w, h } = image.img
  return `<picture>${sources.join('')}<img src="${src}" width="${w}" height="${h}" alt="${alt}"></picture>`
}
