import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { exceptionsOf, replaceFile } from '@pixpress/core/internal'
import type { ImageUse } from '../../references/types.ts'
import type { Files } from '../../base/files.ts'
import { relativePath } from '../../base/paths.ts'
import type { Session } from '../../session/session.ts'

/**
 * Farm answers a module from its persistent cache as long as the module's own file is unchanged, and adds the resources
 * it has kept of one that did change to the new ones, where a stylesheet then takes any of them. So the cache as a
 * whole must not outlive a change of an image: its key has the id of a generation, which ends with the first image that
 * differs.
 */
export interface CacheGeneration {
  readonly id: string
  /** Notes that a module of this generation holds something of the image, as it is now. */
  record(request: ImageRequest): Promise<void>
  /**
   * Gives what was recorded by earlier builds of this generation, and not again since: Farm may have it from its cache.
   */
  unseen(): readonly ImageRequest[]
  save(): Promise<void>
}

/** An image that a module asks for. */
export interface ImageRequest {
  /** Absolute path of the module's file: a page, or the image itself. */
  readonly owner: string
  /** Absolute. */
  readonly file: string
  /** With its `?`, or empty. */
  readonly query: string
  readonly use: ImageUse
}

interface Fingerprint {
  /** Milliseconds. */
  readonly modified: number
  /** Bytes. */
  readonly size: number
  readonly digest: string
}

interface Saved {
  readonly id: string
  /** The exceptions of the lock when the generation began. */
  readonly exceptions?: string
  /** Its keys are paths relative to the root. */
  readonly images: Readonly<Record<string, Fingerprint>>
  /** Paths relative to the root. */
  readonly requests: readonly ImageRequest[]
}

/** Opens the previous generation of the cache, or begins a new one if the lock or an image has changed since. */
export async function openGeneration({ files, options: { root, workDir, lock } }: Session): Promise<CacheGeneration> {
  const place = path.join(workDir, 'farm', 'generation.json')
  const before = await read(place)
  // The same plan has another result when the lock says so.
  const exceptions = exceptionsOf(lock)
  const isSame = before !== undefined && (before.exceptions ?? '') === exceptions
  const current = isSame && (await areUnchanged(files, root, before.images)) ? before : undefined
  const id = current?.id ?? randomUUID()
  const images = new Map<string, Fingerprint>()
  const requests = new Map<string, ImageRequest>()
  return {
    id,
    async record({ owner, file, query, use }) {
      const request = { owner: relativePath(root, owner), file: relativePath(root, file), query, use }
      requests.set(keyOf(request), request)
      images.set(request.file, await fingerprint(files, file))
    },
    unseen: () =>
      (current?.requests ?? [])
        .filter((request) => !requests.has(keyOf(request)))
        .map((request) => ({
          ...request,
          owner: path.resolve(root, request.owner),
          file: path.resolve(root, request.file),
        })),
    async save() {
      // Others of this generation that have been at work meanwhile (a dev server, say) have noted theirs.
      const latest = await read(place)
      const known = latest?.id === id ? latest : undefined
      for (const request of known?.requests ?? []) requests.set(keyOf(request), request)
      const saved: Saved = {
        id,
        ...(exceptions !== '' && { exceptions }),
        images: { ...known?.images, ...Object.fromEntries(images) },
        requests: [...requests.values()],
      }
      await replaceFile(place, JSON.stringify(saved))
    },
  }
}

function keyOf(request: ImageRequest): string {
  return JSON.stringify([request.owner, request.file, request.query, request.use])
}

async function read(place: string): Promise<Saved | undefined> {
  try {
    return JSON.parse(await readFile(place, 'utf8')) as Saved
  } catch {
    // Missing, or truncated by a crash: a new generation begins.
    return undefined
  }
}

async function areUnchanged(files: Files, root: string, images: Saved['images']): Promise<boolean> {
  const checks = Object.entries(images).map(async ([relative, { modified, size, digest }]) => {
    const file = path.resolve(root, relative)
    const now = await files.stat(file)
    if (now === undefined || now.size !== size) return false
    return now.mtimeMs === modified || (await fingerprint(files, file)).digest === digest
  })
  return !(await Promise.all(checks)).includes(false)
}

async function fingerprint(files: Files, file: string): Promise<Fingerprint> {
  const [found, bytes] = await Promise.all([files.stat(file), files.readFile(file)])
  const digest = createHash('sha256').update(bytes).digest('hex')
  return { modified: found?.mtimeMs ?? 0, size: bytes.length, digest }
}
