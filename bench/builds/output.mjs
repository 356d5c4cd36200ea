/**
 * How every build names the images it emits: the source's name, a hash without dots, the type's own extension. Both bundlers
 * know these placeholders; their hashes hold letters, digits, `-` and `_`.
 */
export const IMAGE_FOLDER = 'images'

const EMITTED = /^(.+)\.[\w-]+\.\w+$/

/** The name, without extension, of the source that an emitted image was made from. */
export function stemOfEmitted(name) {
  const [, stem] = EMITTED.exec(name) ?? []
  if (stem === undefined) throw new Error(`The emitted image ${name} is not named as the build was told to.`)
  return stem
}
