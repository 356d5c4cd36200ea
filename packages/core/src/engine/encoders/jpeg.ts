import { MOZJPEG_420, MOZJPEG_444 } from '../curves.ts'
import { fromPicture } from '../picture.ts'
import { searchQuality } from '../search.ts'
import type { Found } from '../search.ts'
import type { EncodeRequest, Encoder } from './encoder.ts'
import { WINDOW } from './encoder.ts'

/**
 * mozjpeg, progressive, grey pictures as one channel. Full chroma costs about 15 % at an equal score, so it is only tried
 * where halved chroma cannot keep the promise.
 */
export const encodeJpeg: Encoder = async (request) => {
  const halved = await search(request, '4:2:0')
  const found = halved.score >= request.target || request.picture.grey ? halved : await search(request, '4:4:4')
  return [{ data: found.data, type: 'image/jpeg', score: found.score }]
}

function search({ picture, scorer, target }: EncodeRequest, chromaSubsampling: '4:2:0' | '4:4:4'): Promise<Found> {
  const pixels = (): ReturnType<typeof fromPicture> =>
    picture.grey ? fromPicture(picture).toColourspace('b-w') : fromPicture(picture)
  return searchQuality({
    target,
    window: WINDOW,
    min: 20,
    max: 98,
    curve: chromaSubsampling === '4:2:0' ? MOZJPEG_420 : MOZJPEG_444,
    encode: (quality) => pixels().jpeg({ mozjpeg: true, quality, chromaSubsampling }).toBuffer(),
    score: (data) => scorer.score(data),
  })
}
