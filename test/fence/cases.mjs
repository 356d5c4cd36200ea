/** The fence's operations on each of its pictures. */
import { SMALL } from './pictures.mjs'

/** Operations by the names that rows use. */
export const OPERATIONS = {
  none: {},
  webp: { convert: { type: 'image/webp' } },
  avif: { convert: { type: 'image/avif' } },
  jpeg: { convert: { type: 'image/jpeg' } },
  png: { convert: { type: 'image/png' } },
  jxl: { convert: { type: 'image/jxl' } },
  list: { convert: { type: ['image/avif', 'image/webp', 'image/jpeg'] } },
  any: { convert: { type: '*/*' } },
  flatten: { convert: { type: 'image/jpeg' }, transform: { background: '#ffcc00' } },
  scale: { resize: { method: 'scale', width: 480 } },
  fit: { resize: { method: 'fit', width: 200, height: 150 } },
  cover: { resize: { method: 'cover', width: 160, height: 160 } },
  thumb: { resize: { method: 'thumb', width: 120, height: 120 } },
  icon: { resize: { method: 'scale', width: 64 } },
  contain: {
    resize: { method: 'contain', width: 300, height: 300, background: '#fff8' },
    convert: { type: 'image/png' },
  },
  thumbWebp: { resize: { method: 'thumb', width: 150, height: 150 }, convert: { type: 'image/webp' } },
  preserve: { preserve: ['copyright', 'creation', 'location'] },
  high: { quality: 'high' },
  balanced: { quality: 'balanced' },
  small: { quality: 'small' },
  rough: { quality: 30 },
  score: { quality: 77.5, convert: { type: 'image/webp' } },
  bytes: { maxBytes: 20_000 },
  lossless: { lossless: true },
  losslessWebp: { lossless: true, convert: { type: 'image/webp' } },
  settings: {
    encoder: { webp: { quality: 70 }, jpeg: { quality: 60 } },
    convert: { type: ['image/webp', 'image/jpeg'] },
  },
  adjust: { adjust: { rotate: 90, saturation: 1.5, blur: true }, resize: { method: 'scale', width: 300 } },
  tint: { adjust: { tint: 'red', flip: true, invert: true }, resize: { method: 'fit', width: 200, height: 200 } },
  multipass: { svgo: { multipass: true } },
}

/** Placeholders stand in rows like operations. */
export const PLACEHOLDERS = ['thumbhash', 'blurhash', 'blur', 'color']

/**
 * Operations of a picture, each with an effort after a slash where that is not `default`. Those with a star are in the
 * short form. Pictures of two megapixels stand before smaller ones: what takes long begins early.
 */
const ROWS = {
  'chart.png': 'none webp/fast avif/fast scale flatten/fast',
  'sunrise.jpg': 'none/max webp avif/fast preserve/fast cover fit jxl/fast',
  'example-page.webp': 'none avif/fast small/fast',
  'report-page.webp': 'none png/fast',
  'fig-p3.jpg': 'none webp/fast avif/fast scale',
  'hills-part.png': 'none lossless webp/fast',
  'dashboard-part.png': 'none webp avif/fast scale',
  'chart.webp': 'none losslessWebp/fast png/fast',
  'sunrise.webp': 'none high/fast jpeg/fast',
  'meadow-tall.jpg': 'none/fast webp/fast thumb',
  'report.webp': 'none webp/fast',
  'dashboard-palette.png': 'none* webp/fast lossless',
  'lines-1bit.png': 'none webp/fast',
  'fig-left.tiff': 'jpeg/fast webp avif/fast',
  'mountains.jpg': 'none balanced small/fast list/fast preserve cover/fast any/fast',
  'fig-deep.avif': 'none/fast webp/fast fit',
  'sunrise-grey.jpg': 'none webp/fast jxl/fast',
  'chart-half.png': 'none webp/fast flatten/fast',
  'boxes.png': 'none webp avif/fast',
  'hills.png': 'none* webp/max scale',
  'lines.png': 'none/max webp jxl/fast',
  'social-card.jpg': 'none/max webp avif bytes settings/fast',
  'hills.gif': 'none webp/fast',
  'fig-right.png': 'none webp/fast lossless/fast',
  'boxes-transparent.png': 'none webp avif/fast flatten',
  'dashboard-grey.png': 'none webp/fast',
  'mountains-cmyk.jpg': 'none webp/fast',
  'fig-deep.png': 'none/fast webp/fast avif/fast',
  'meadow.png': 'none/fast jpeg/max',
  'properties/dark-subtle.jpg': 'none webp avif/fast jxl',
  'before-after.webp': 'none small/fast',
  'comp-03-noise.jpg': 'none thumb webp/fast',
  'comp-07-colour.jpg': 'none webp thumb thumbWebp',
  'comp-15-white.jpg': 'thumb none/fast',
  'comp-17-colour.jpg': 'none/max thumb cover',
  'comp-21-grey.jpg': 'none thumb',
  'comp-25-white.jpg': 'none/fast thumb',
  'comp-33-noise.jpg': 'webp/fast thumb',
  'drawn-photo.png': 'none/fast webp list/fast',
  'coffee.png': 'none rough* webp png jxl cover',
  'dahlia.jpg': 'none webp/max avif/max score thumbhash blurhash blur color',
  'temple.jpg': 'none/fast list preserve* adjust tint/fast',
  'trim-0.png': 'none* thumb',
  'properties/hero-linear-24bit.png': 'none/max webp',
  'properties/bar-0.png': 'none webp/fast',
  'cat.webp': 'none fit',
  'logo.png': 'none* none/max webp* avif icon* lossless* jxl blur*',
  'icon.png': 'none* none/fast webp avif/fast icon flatten',
  'loader.gif': 'none webp icon',
  'camera.webp': 'none png icon thumb',
  'backpack.webp': 'none thumbWebp',
  'spinner.gif': 'none* webp/fast',
  'cat.png': 'none* rough* rough/max',
  'emoji.png': 'none rough* webp',
  'astronaut.png': 'none rough*',
  'spinner.webp': 'none',
  'seeding.avif': 'none* webp/fast',
  'scene.svg': 'none* multipass',
  'orbita.svg': 'none*',
  'text-on-grain.png': 'none* webp/fast',
  'small-photo.jpg':
    'none* none/fast* none/max* webp* avif* avif/fast jpeg/max jxl* list* any/fast balanced* small* bytes* settings* cover* fit* thumb* contain* adjust* lossless thumbhash* color*',
  'small-boxes.png': 'none* none/max* webp* avif* flatten* jxl/fast scale icon* tint* blurhash*',
  'travelling.gif': 'none* webp* icon/fast',
  'travelling.webp': 'none* fit/fast',
}

/** Small files that are in the short form. */
const SHORT =
  /^(?:properties\/(?:alpha|cmyk|dirty-alpha|gray|gray16|icc-p3|orientation-6|pal-trns|photo-q40|rgb8|rgb16|animated|anim)\.|metadata\/(?:all|gps-in-xmp)\.|svg\/(?:css|id-|d-css|rx|skew)|inputs\/(?:alpha|plain)\.|jxl\/(?:alpha|gray)\.|apng\/(?:anim|mode_16bit)\.)/

/** Small files whose metadata is kept, too. */
const WITH_METADATA = /^metadata\/(?:all|everything|gps)/

const rows = [
  ...Object.entries(ROWS),
  ...SMALL.filter((name) => !(name in ROWS)).map((name) => {
    const star = SHORT.test(name) ? '*' : ''
    return [name, `none${star}${WITH_METADATA.test(name) ? ` preserve${star}` : ''}`]
  }),
]

/** Pictures with their cases: `{ picture, cases: [{ name, does, effort, isShort }] }`. */
export const PICTURES = rows.map(([picture, text]) => ({
  picture,
  cases: text.split(' ').map((word) => {
    const isShort = word.endsWith('*')
    const [does, effort = 'default'] = word.replace('*', '').split('/')
    if (!(does in OPERATIONS) && !PLACEHOLDERS.includes(does)) throw new Error(`No operation '${does}' (${picture}).`)
    return { name: `${picture} ${does}${effort === 'default' ? '' : `/${effort}`}`, does, effort, isShort }
  }),
}))
