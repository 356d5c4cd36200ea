import { createHash } from 'node:crypto'
import path from 'node:path'
import type { FinishedImage } from '../session/plan/images.ts'

/** Returns a file name that changes with the bytes: `photo-1a2b3c4d.avif`. */
export function hashedName({ name: given, data }: FinishedImage): string {
  const { name, ext } = path.parse(given)
  return `${name}-${createHash('sha256').update(data).digest('base64url').slice(0, 8)}${ext}`
}
