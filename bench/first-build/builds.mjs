/** The five widths in pixels and the types that one photograph is made in. */
export const WIDTHS = [640, 960, 1280, 1920, 2560]
export const WIDTHS_QUERY = `w=${WIDTHS.join(';')}&format=avif;webp;jpg&as=picture`

/**
 * vite-plugin-image-optimizer at the quality that people set. Its own defaults are quality 100 and lossless. Formats
 * that are not named keep its defaults: `svg`, and `gif`, which has no quality.
 */
export const PEER = {
  tool: 'vite-plugin-image-optimizer',
  settings: Object.fromEntries(['png', 'jpeg', 'jpg', 'webp', 'avif'].map((type) => [type, { quality: 80 }])),
}

const pixpress = (settings) => ({ tool: 'pixpress', settings })
const CONVERT = { type: ['image/avif', 'image/webp'] }

/** Cold builds with Vite, each in a process of its own. `images` names one of the sets that materials.mjs makes. */
export const BUILDS = {
  peer: { title: 'vite-plugin-image-optimizer', images: 'site', ...PEER },
  default: { title: 'pixpress', images: 'site', ...pixpress({}) },
  fast: { title: 'pixpress, fast', images: 'site', ...pixpress({ effort: 'fast' }) },
  small: { title: 'pixpress, quality 71', images: 'site', ...pixpress({ quality: 71 }) },
  convert: { title: 'pixpress, convert', images: 'site', ...pixpress({ convert: CONVERT }) },
  'convert-fast': {
    title: 'pixpress, convert, fast',
    images: 'site',
    ...pixpress({ convert: CONVERT, effort: 'fast' }),
  },
  'thousand-peer': { title: 'vite-plugin-image-optimizer, 1,000 small', images: 'thousand', ...PEER },
  thousand: { title: 'pixpress, 1,000 small', images: 'thousand', ...pixpress({}) },
  widths: { title: 'pixpress, five widths', images: 'widths', ...pixpress({ report: { json: 'report.json' } }) },
}

/** Plain encodes by sharp, each list in a process of its own: see plain-encodes.mjs. */
export const ENCODES = {
  'plain-avif': { title: 'plain AVIF of the site', images: 'site', kind: 'avif' },
  'plain-widths': { title: 'plain encodes of five widths', images: 'widths', kind: 'widths' },
}

/** PNG files optimised in this process, for their bytes alone. */
export const PNGS = {
  'png-photographs': { title: 'photographs as PNG', images: 'photographs' },
  'png-graphics': { title: 'graphics as PNG', images: 'graphics' },
}
