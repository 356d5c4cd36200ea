import { colourSegments, jpegShownAt, readJpegOrientation, shownSizeOfJpeg } from './metadata.ts'
import { readCoefficients } from './read-coefficients.ts'
import { rotated, rotationOf } from './rotation.ts'
import { writeSequential } from './write-sequential.ts'

/**
 * Rotates a file upright by its EXIF orientation and removes the tag. It moves blocks, as `jpegtran -perfect` does, so
 * that no pixel is encoded again. Metadata that decides about colours and the shown size is kept, the rest is not. The
 * result is sequential.
 * @returns `undefined` where there is nothing to rotate or the file cannot be rotated so: blocks on its edge are cut
 * off, it is neither grey nor of three components, has arithmetic coding, is damaged, or is very large
 */
export function rotateJpeg(source: Uint8Array): Uint8Array | undefined {
  const orientation = readJpegOrientation(source)
  if (orientation === 1) return undefined
  const coefficients = readCoefficients(source, (header) => rotationOf(header, orientation) !== undefined)
  const rotation = coefficients === undefined ? undefined : rotationOf(coefficients.frame, orientation)
  if (coefficients === undefined || rotation === undefined) return undefined
  const { segments, isJfif } = colourSegments(source)
  const upright = writeSequential(rotated(coefficients, rotation), segments, isJfif)
  const size = shownSizeOfJpeg(source)
  return upright === undefined || size === undefined ? upright : jpegShownAt(upright, size)
}
