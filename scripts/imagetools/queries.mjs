/**
 * The queries on which vite-imagetools and pixpress are run beside each other: at least one for each directive of
 * imagetools' documentation. `design` says what differs on purpose, `refused` that the build fails and why; what
 * differs without either is an error of the script. `compat` is what `compat: 'imagetools'` makes of it, where that is
 * something else.
 */

/** Every keyword of imagetools' documentation of directives, version 12, with those that its code knows besides. */
export const IMAGETOOLS_DIRECTIVES = [
  'background',
  'blur',
  'effort',
  'fit',
  'flatten',
  'flip',
  'flop',
  'format',
  'grayscale',
  'hue',
  'saturation',
  'brightness',
  'invert',
  'kernel',
  'lossless',
  'median',
  'normalize',
  'position',
  'quality',
  'w',
  'h',
  'aspect',
  'withoutEnlargement',
  'withoutReduction',
  'rotate',
  'tint',
  'metadata',
  'picture',
  'srcset',
  'url',
  'inline',
  'as',
  'allowUpscale',
  'basePixels',
  'progressive',
  'noAutoOrient',
]

/** The directives that are pixpress' own, with what they are for. */
export const OWN_DIRECTIVES = {
  method: 'the words of `resize`: `scale`, `fit`, `cover` and `thumb`, which keeps free-standing objects whole',
  preset: 'a named set of directives',
  preserve: 'metadata to keep',
  maxBytes: 'bytes that the image may have',
  gainmap: 'whether a JPEG keeps its HDR gain map',
  lqip: 'what to show until the image is there',
  autoOrient: 'accepted: a photo is always shown upright',
}

const SHOWN_UPRIGHT = 'a photo that its camera stored on its side is always shown upright'
const BARE_FORMAT = 'the bare format is taken, which its documentation shows and its code ignores'
const WHOLE = 'nothing is cut off: the picture is resized, then rotated'
const ALWAYS = 'holds in any case'
const CLEAR = 'without `background` what is left empty is transparent where the picture can be'

/**
 * `means`: differs by what is meant, which one picture need not show.
 * @type {{ directive: string, query: string, source?: 'clear' | 'middle', design?: string, refused?: string, means?:
 * true,
 * compat?: 'alike' | 'by design' | 'refused' }[]}
 */
export const QUERIES = [
  { directive: 'w', query: 'w=60' },
  { directive: 'w', query: 'w=40;60' },
  { directive: 'w', query: 'w=4000' },
  { directive: 'h', query: 'h=45' },
  { directive: 'w', query: 'w=60&h=60' },
  {
    directive: 'fit',
    query: 'w=60&h=60&fit=cover',
    design: '`fit=cover` keeps what strikes; `position=center` keeps the centre',
    compat: 'alike',
  },
  {
    directive: 'w',
    query: 'w=300&h=400',
    source: 'middle',
    design: 'the largest crop of these proportions is made; imagetools brings each size down to the source by itself',
    compat: 'alike',
  },
  {
    directive: 'fit',
    query: 'fit=cover',
    refused: 'it says nothing without a size, so one is asked for; imagetools ignores it',
    compat: 'alike',
  },
  { directive: 'fit', query: 'w=60&h=60&fit=cover&position=center' },
  { directive: 'fit', query: 'w=60&h=60&fit=contain' },
  { directive: 'fit', query: 'w=60&h=60&fit=contain', source: 'clear', design: CLEAR },
  { directive: 'fit', query: 'w=60&h=60&fit=fill' },
  { directive: 'fit', query: 'w=60&h=60&fit=inside' },
  { directive: 'fit', query: 'w=60&h=60&fit=outside' },
  { directive: 'fit', query: 'w=60&fit=cover' },
  { directive: 'fit', query: 'w=60&h=60&contain' },
  { directive: 'position', query: 'w=60&h=60&position=top' },
  { directive: 'position', query: 'w=60&h=60&position=right%20bottom' },
  { directive: 'position', query: 'w=60&h=60&position=west' },
  { directive: 'position', query: 'w=60&h=60&left' },
  { directive: 'position', query: 'w=60&h=60&position=entropy' },
  { directive: 'position', query: 'w=60&h=60&position=attention' },
  { directive: 'position', query: 'w=60&h=60&fit=contain&position=bottom' },
  { directive: 'position', query: 'w=60&h=60&position=0.2,0.5', design: 'a point, which imagetools ignores' },
  {
    directive: 'position',
    query: 'w=60&h=60&position=face',
    refused: 'there is no detector of faces: give the point, or a region in the XMP',
  },
  { directive: 'aspect', query: 'aspect=16:9' },
  { directive: 'aspect', query: 'aspect=1.5&w=60' },
  { directive: 'aspect', query: 'aspect=1:2&h=60' },
  {
    directive: 'aspect',
    query: 'aspect=1:2&w=100',
    design:
      'where the height would be larger than the source, the largest crop of the ratio is made; imagetools gives the whole picture',
    compat: 'alike',
  },
  {
    directive: 'aspect',
    query: 'aspect=16:9&h=200;400;700',
    source: 'middle',
    design: 'images that come to the same are one, cropped; imagetools gives the whole picture twice',
    compat: 'alike',
  },
  { directive: 'kernel', query: 'w=60&kernel=nearest' },
  { directive: 'kernel', query: 'w=60&kernel=mitchell' },
  { directive: 'allowUpscale', query: 'w=240&allowUpscale=true' },
  { directive: 'withoutEnlargement', query: 'w=240&withoutEnlargement' },
  { directive: 'withoutEnlargement', query: 'w=240&withoutEnlargement=false' },
  {
    directive: 'withoutReduction',
    query: 'w=60&withoutReduction',
    design: 'holds, as documented; the code of imagetools 12 ignores it',
  },
  {
    directive: 'withoutReduction',
    query: 'height=300;600;900&withoutReduction',
    source: 'middle',
    design: 'images that come to the same are one; imagetools gives the whole picture three times',
    compat: 'alike',
  },
  { directive: 'h', query: 'h=60&withoutReduction=false' },
  { directive: 'rotate', query: 'rotate=90' },
  {
    directive: 'rotate',
    query: 'rotate=30&background=ff0000',
    design: 'imagetools takes digits without `#` for no colour and fails',
  },
  { directive: 'rotate', query: 'rotate=30&background=%23ff0000' },
  { directive: 'rotate', query: 'w=60&rotate=90', design: WHOLE },
  { directive: 'flip', query: 'flip' },
  { directive: 'flop', query: 'flop=true' },
  { directive: 'tint', query: 'tint=ffaa22' },
  {
    directive: 'tint',
    query: 'tint=%23ffaa22',
    design: 'taken as documented; imagetools puts a second `#` before it and fails',
  },
  { directive: 'hue', query: 'hue=90' },
  { directive: 'saturation', query: 'saturation=0.4' },
  { directive: 'brightness', query: 'brightness=1.3' },
  { directive: 'brightness', query: 'hue=30&saturation=1.5&brightness=0.8' },
  { directive: 'saturation', query: 'saturation=0', design: 'is grey; imagetools takes 0 for nothing' },
  { directive: 'blur', query: 'blur' },
  { directive: 'blur', query: 'blur=3' },
  { directive: 'median', query: 'median=3' },
  {
    directive: 'median',
    query: 'median',
    design: 'a square of 3, as documented; imagetools ignores it without a number',
  },
  { directive: 'normalize', query: 'normalize' },
  { directive: 'grayscale', query: 'grayscale' },
  { directive: 'invert', query: 'invert=true' },
  { directive: 'flatten', query: 'flatten&background=%23ff0000', source: 'clear' },
  { directive: 'flatten', query: 'flatten', source: 'clear' },
  {
    directive: 'background',
    query: 'background=blue',
    source: 'clear',
    design: 'flattens by itself; imagetools does nothing with it alone',
  },
  { directive: 'background', query: 'w=60&h=60&fit=contain&background=hsl(120,100%25,25%25)' },
  { directive: 'background', query: 'w=60&h=60&fit=contain&background=rgb(200,%20200,%20200)' },
  { directive: 'background', query: 'w=60&h=60&fit=contain&background=%23FFFFFFAA' },
  { directive: 'format', query: 'format=webp' },
  { directive: 'format', query: 'format=jpg' },
  {
    directive: 'format',
    query: 'format=jpg',
    source: 'clear',
    design:
      'without `background` the image keeps its transparency and its type, with a warning; imagetools makes it black',
    compat: 'alike',
  },
  { directive: 'format', query: 'format=avif' },
  { directive: 'format', query: 'w=40;60&format=webp;jpg' },
  {
    directive: 'format',
    query: 'format=jxl',
    design: "imagetools needs a libvips with libjxl, which sharp's own is not",
  },
  {
    directive: 'format',
    query: 'format=gif',
    refused: 'GIF holds 256 colours and takes more bytes than any other format',
  },
  { directive: 'format', query: 'format=tiff', refused: 'only Safari shows TIFF' },
  {
    directive: 'format',
    query: 'format=heif',
    refused: 'no browser but Safari shows HEIF; what imagetools writes for it is AVIF',
  },
  {
    directive: 'quality',
    query: 'format=webp&quality=90',
    means: true,
    design: "the score to keep; with `compat` the encoder's setting",
    compat: 'alike',
  },
  { directive: 'effort', query: 'format=webp&effort=2' },
  { directive: 'effort', query: 'format=webp&effort=max' },
  { directive: 'effort', query: 'format=webp&effort=min' },
  { directive: 'lossless', query: 'format=webp&lossless' },
  { directive: 'progressive', query: 'format=jpg&progressive' },
  { directive: 'progressive', query: 'format=jpg&progressive=false' },
  { directive: 'noAutoOrient', query: 'w=60&noAutoOrient', refused: SHOWN_UPRIGHT },
  { directive: 'url', query: 'w=60&as=url' },
  { directive: 'srcset', query: 'w=40;60&as=srcset' },
  {
    directive: 'srcset',
    query: 'w=40;60&srcset',
    design: 'the bare word gives the srcset, as documented; imagetools 12 gives URLs',
  },
  { directive: 'basePixels', query: 'w=40;80&as=srcset&basePixels=40' },
  { directive: 'as', query: 'w=40;60&as=img' },
  { directive: 'picture', query: 'w=40;60&format=webp;jpg&as=picture' },
  {
    directive: 'picture',
    query: 'w=40&format=webp;jpg&picture',
    design: 'the bare word gives the picture, as documented; imagetools 12 gives URLs',
  },
  { directive: 'metadata', query: 'w=60&format=webp&as=metadata' },
  { directive: 'metadata', query: 'w=60&as=meta:height;width' },
  { directive: 'metadata', query: 'w=40;60&avif&metadata', design: `the metadata, as documented; ${BARE_FORMAT}` },
  { directive: 'inline', query: 'w=20&format=webp&inline' },
]

/** Options of the plugin that its documentation names. */
export const OPTIONS = [
  [
    'include',
    'by design',
    'globs or RegExps on the path relative to the root, without the query; `compat` takes `?*` off the end of globs',
  ],
  ['exclude', 'by design', 'likewise; images of `public/` are compressed too, unless `publicDir: false`'],
  [
    'defaultDirectives',
    'alike',
    'an object, `URLSearchParams` or a function, for every import, also without a query. A function may read words of your own (`?card`); its second argument gives `{ type, width, height, hasAlpha, frames }`. `?raw`, `?original` and SVG are left alone',
  ],
  ['extendOutputFormats', 'by design', '`outputs: { name: (images, keys) => value }` for `as=name`'],
  ['extendTransforms', 'refused', 'what a function makes of pixels has no name under which it could be cached'],
  ['resolveConfigs', 'refused', 'a preset, or a function as `defaultDirectives`, says the same'],
  [
    'removeMetadata',
    'refused',
    `\`true\` ${ALWAYS}, and \`compat\` takes it; for \`false\`, \`preserve\` keeps the copyright, the time and the place`,
  ],
  ['namedExports', 'alike', "an option; Vite's `json.namedExports` plays no part"],
  ['cache.enabled', 'by design', '`cache: false`; `compat` takes it as it is'],
  ['cache.dir', 'alike', '`cache: { dir }`, relative to the root; with `compat` to where the command was started'],
  [
    'cache.retention',
    'refused',
    '`cache: { maxSize }`: when the folder grows over it, what was used least recently goes',
  ],
]
