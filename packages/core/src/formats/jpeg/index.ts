import { WORTHWHILE } from '../../encoding/codec.ts'
import type { CodecFor } from '../../encoding/codec.ts'
import { encodeJpeg, encodeLosslessJpeg, encodePlainJpeg } from './encode.ts'
import {
  claimedJpegSize,
  jpegShownAt,
  readJpeg,
  readJpegOrientation,
  shownSizeOfJpeg,
  stripJpeg,
  writeJpeg,
} from './metadata.ts'
import { jpegInDisplayP3, profiledInks } from './profile.ts'
import { fitGainMap, withGainMap } from './gain-map.ts'
import { hasCredentials, morePictures, withoutList } from './more-pictures.ts'
import { isOurJpeg } from './quantisation.ts'
import { rotateJpeg } from './rotate.ts'

/** The codec of JPEG. */
export const jpeg: CodecFor<'jpeg'> = {
  claimedSize: claimedJpegSize,
  unsupported: profiledInks,
  encode: encodeJpeg,
  // ITU-T T.81 table B.2
  mostSide: 65_535,
  encodePlain: encodePlainJpeg,
  encodeLossless: encodeLosslessJpeg,
  keepsOrientation: true,
  rotate: rotateJpeg,
  inDisplayP3: jpegInDisplayP3,
  worthwhileShare: (source) => (isOurJpeg(source) ? WORTHWHILE.again : WORTHWHILE.blocks),
  readMetadata: readJpeg,
  writeMetadata: writeJpeg,
  stripMetadata: stripJpeg,
  readOrientation: readJpegOrientation,
  shownSize: { read: shownSizeOfJpeg, write: jpegShownAt },
  extras(source) {
    const { gainMap, hasOtherMap, others } = morePictures(source)
    return {
      ...(gainMap === undefined ? hasOtherMap && { gainMap: {} } : { gainMap: { file: gainMap } }),
      pictures: others,
      hasCredentials: hasCredentials(source),
    }
  },
  readable: withoutList,
  gainMaps: { fit: fitGainMap, attach: withGainMap },
}
