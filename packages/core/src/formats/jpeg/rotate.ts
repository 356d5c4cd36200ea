import { colourSegments, readJpegOrientation } from './metadata.ts'
import { readCoefficients } from './read-coefficients.ts'
import { rotated, rotationOf } from './rotation.ts'
import { writeSequential } from './write-sequential.ts'

/**
 * The file rotated upright as EXIF says, without the tag: its blocks are moved, so that no pixel is encoded again, as
 * `jpegtran -perfect` does. What decides about colours is kept, other metadata is not. The scan is sequential.
 * @returns `undefined` where there is nothing to rotate or the file cannot be rotated so: blocks on its edge are cut off, it is
 * neither grey nor of three components, has arithmetic coding, is damaged, or is very large
 */
export function rotateJpeg(source: Uint8Array): Uint8Array | undefined {
  const orientation = readJpegOrientation(source)
  if (orientation === 1) return undefined
  const coefficients = readCoefficients(source, (header) => rotationOf(header, orientation) !== undefined)
  const rotation = coefficients === undefined ? undefined : rotationOf(coefficients.frame, orientation)
  if (coefficients === undefined || rotation === undefined) return undefined
  const { segments, isJfif } = colourSegments(source)
  return writeSequential(rotated(coefficients, rotation), segments, isJfif)
}
