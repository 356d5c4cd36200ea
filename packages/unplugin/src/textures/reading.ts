import path from 'node:path'

/**
 * How a file of the project speaks of an image: it shows it, gives it to a reader that is not a browser, or it is a
 * model, a shader, a sheet or a loader's call that names a PNG.
 */
export type MentionKind = 'shown' | 'given' | 'model' | 'shader' | 'sheet' | 'loader'

/** A place in a file that names an image. */
export interface Mention {
  /** The text as it is written, with `*` for what is only known when the program runs. */
  readonly url: string
  readonly kind: MentionKind
}

/** Holds what files are read for, by extension. */
const READ_AS = {
  page: 'html htm xhtml vue svelte astro md mdx markdown njk liquid pug ejs hbs mustache php erb twig jinja j2',
  style: 'css scss sass less styl stylus pcss postcss',
  script: 'js mjs cjs jsx ts mts cts tsx',
  shader: 'glsl vert frag wgsl hlsl shader mat material',
  model: 'gltf glb obj mtl fbx dae usd usda usdc usdz 3ds x3d wrl ply babylon',
  sheet: 'atlas fnt plist tmx tsj tmj',
  data: 'json webmanifest',
} as const

/** The way in which a file is searched for images. */
export type ReadAs = keyof typeof READ_AS

const BY_EXTENSION = new Map(
  Object.entries(READ_AS).flatMap(([as, extensions]) => extensions.split(' ').map((each) => [each, as as ReadAs])),
)

/** Gives what a file is to be read for; `undefined` where it can say nothing of images. */
export function readAs(file: string): ReadAs | undefined {
  return BY_EXTENSION.get(path.extname(file).slice(1).toLowerCase())
}
