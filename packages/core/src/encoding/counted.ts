import type { OutputInfo, Sharp } from 'sharp'
import type { InputType } from '../base/types.ts'
import { countEncode, encodeSettings } from '../base/counters.ts'

/** sharp's names of what it writes; pixels (`raw`) are no encode. */
const TYPES: Readonly<Partial<Record<string, InputType>>> = {
  avif: 'image/avif',
  gif: 'image/gif',
  heif: 'image/avif',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
}

interface Written {
  readonly data: Buffer
  readonly info: OutputInfo
}

/** Returns the same pipeline, which also counts its encodes, so that no encoder has to. Clones of it do not count. */
export function counted(pipeline: Sharp): Sharp {
  const write = (): Promise<Written> =>
    Object.getPrototypeOf(pipeline).toBuffer.call(pipeline, { resolveWithObject: true })
  async function toBuffer(options?: { resolveWithObject?: boolean }): Promise<Buffer | Written> {
    if (encodeSettings.hasSubscribers) encodeSettings.publish((pipeline as Sharp & { options: object }).options)
    const written = await countEncode(write, ({ info }) => {
      const type = TYPES[info.format]
      return type && { type, pixels: info.width * info.height }
    })
    return options?.resolveWithObject === true ? written : written.data
  }
  return Object.assign(pipeline, { toBuffer }) as Sharp
}
