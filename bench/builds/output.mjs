/**
 * Folder of the images that every build emits. Their names are the source's name, a hash without dots, and the
 * extension of the type. All bundlers know these placeholders; their hashes consist of letters, digits, `-` and `_`.
 */
export const IMAGE_FOLDER = 'images'

const EMITTED = /^(.+)\.[\w-]+\.\w+$/

/** The name, without extension, of the source that an emitted image was made from. */
export function stemOfEmitted(name) {
  const [, stem] = EMITTED.exec(name) ?? []
  if (stem === undefined) throw new Error(`The emitted image ${name} is not named as the build was told to.`)
  return stem
}
