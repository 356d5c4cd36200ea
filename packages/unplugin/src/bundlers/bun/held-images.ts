import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { mimeType } from '../../session/encode/data-url.ts'
import type { FinishedImage } from '../../session/plan/images.ts'
import type { BunArtifact, BunConfig, BunGlobal } from './bun-api.ts'

/** Bun makes `data:` URLs of what stylesheets refer to and has fewer bytes, and there is no option for it. */
export const INLINED_IN_STYLESHEETS: number = 128 * 1024

/**
 * Bytes for an image that is to be a file of its own although it has so few bytes. Their hash, which stands in its
 * name, is that of the source, the operations and the versions.
 */
export function heldBytes({ planned: { source, id } }: FinishedImage): Buffer {
  const rest = Math.max(0, INLINED_IN_STYLESHEETS - source.length)
  return Buffer.concat([source, Buffer.from(id), Buffer.alloc(rest)])
}

/** Puts such images into the output, in the place of the bytes that Bun was given. */
export async function writeHeld(
  { outdir }: BunConfig,
  outputs: BunArtifact[],
  images: Iterable<FinishedImage>,
): Promise<void> {
  const held = [...images].map((image) => ({ image, bytes: heldBytes(image) }))
  if (held.length === 0) return
  for (const [at, artifact] of outputs.entries()) {
    const { path: place, kind, loader, hash } = artifact
    if (kind !== 'asset') continue
    const contents = Buffer.from(await artifact.arrayBuffer())
    const found = held.find(({ bytes }) => bytes.equals(contents))
    if (found === undefined) continue
    const data = Buffer.from(found.image.data)
    const file = outdir === undefined ? place : path.resolve(outdir, place)
    if (outdir !== undefined) {
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, data)
    }
    const { Bun } = globalThis as { Bun?: BunGlobal }
    const blob = outdir === undefined ? new Blob([data], { type: mimeType(found.image) }) : Bun!.file(file)
    outputs[at] = Object.assign(blob, { path: place, kind, loader, hash, sourcemap: null })
  }
}
