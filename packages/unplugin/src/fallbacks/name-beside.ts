import path from 'node:path'
import type { FinishedImage } from '../session/plan/images.ts'

/** The name of an image of the output, whose alternative is to be called alike. */
export interface NameBeside {
  /** The name, relative to the output folder, with forward slashes. */
  readonly name: string
  /** Gives the stem with the hash of the alternative's own bytes; `undefined` for a name without a hash. */
  readonly hashed: string | undefined
  isTaken(name: string): boolean
}

/**
 * Names an alternative like the image that it is offered beside. Without a hash, `a.png` and `a.jpg` of one folder
 * would both be called `a.webp`; then the source's extension tells them apart.
 */
export function nameBeside({ name: own, planned }: FinishedImage, { name, hashed, isTaken }: NameBeside): string {
  const { dir, name: stem } = path.posix.parse(name)
  const extension = path.extname(own)
  if (hashed !== undefined) return path.posix.join(dir, hashed + extension)
  const plain = path.posix.join(dir, stem + extension)
  return isTaken(plain) ? path.posix.join(dir, `${stem}_${path.extname(planned.file).slice(1)}${extension}`) : plain
}
