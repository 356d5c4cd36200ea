import path from 'node:path'
import { onlyImage } from '../../modules/reference.ts'
import type { ReferenceQuery } from '../../modules/reference.ts'
import { isDrawing } from '../../references/types.ts'
import type { ImageUse } from '../../references/types.ts'
import { watchedFiles } from '../../session/plan/focus.ts'
import { convertsAny } from '../../session/plan/image-operations.ts'
import type { FinishedImage, PlannedImage } from '../../session/plan/images.ts'
import { relativePath } from '../../base/paths.ts'
import type { Session } from '../../session/session.ts'
import { createBoundUses } from './bound-images.ts'
import { moduleIdentity } from './identity.ts'
import { areNamesHashed, moduleName, originalName } from './names.ts'
import type { NamingOptions } from './names.ts'
import { requestKindOf, readSpec } from './query.ts'

/** Describes what is decided of an image before its module is made. */
export interface ResolvedImage {
  /** `PlannedImage.id`; empty for untouched bytes. */
  readonly id: string
  /** File name with the extension that fits the bytes. */
  readonly name: string
}

/** One compiler's view of the session: what its resolve hooks, loaders and dev server share. */
export interface ImageBuild {
  readonly session: Session
  /** See `moduleIdentity`. */
  readonly identity: string
  /** Tells whether images are encoded when a dev server is asked for them, not while modules are built. */
  isLazy: boolean
  /**
   * Tells whether the image is an icon or a social card of the page that refers to it, where that makes a difference,
   * and whether an SVG is a picture alone.
   * @param request as it is written, without its query
   */
  useOf(issuer: string, file: string, request: string): Promise<ImageUse>
  /**
   * Plans the image of a request, from the file or from bytes that are at hand; `undefined` for `?original`.
   * @throws PixpressError `INVALID_OPTION` for directives that are refused or that ask for more than one URL
   */
  plan(file: string, query: ReferenceQuery, use?: ImageUse, source?: Uint8Array): Promise<PlannedImage | undefined>
  /**
   * Names the image of a request; encodes it first where its type is not certain and `isLazy` does not put that off.
   * Throws as `plan` and `finish` do.
   */
  resolve(file: string, query: ReferenceQuery, options: { use: ImageUse; isLazy: boolean }): Promise<ResolvedImage>
  /** The image of a request. Throws as `plan` and `finish` do. */
  finish(file: string, query: ReferenceQuery, use: ImageUse): Promise<FinishedImage>
  /** Holds the bytes that the bundler would have without this plugin, by modules, for its size limit. */
  readonly sources: WeakMap<object, Buffer>
  /** The files that hold a data URL, by the whole of it; those of modules that are made in this run. */
  readonly holders: Map<string, string>
  /** Gives what there was to say about an image before its module was made; once. */
  takeNotices(id: string): readonly string[]
}

/** Makes the images of a build. */
export function createImageBuild(session: Session, naming: () => NamingOptions): ImageBuild {
  const converts = convertsAny(session.options)
  const boundUse = createBoundUses(session)
  const resolved = new Map<string, { version: string; image: Promise<ResolvedImage> }>()
  const notices = new Map<string, Set<string>>()
  let hashed: boolean | undefined

  async function plan(
    file: string,
    query: ReferenceQuery,
    use?: ImageUse,
    source?: Uint8Array,
  ): Promise<PlannedImage | undefined> {
    const kind = requestKindOf(query)
    if (kind === 'original') return undefined
    const spec = readSpec(query.text)
    if (kind === 'directives') {
      const shown = relativePath(session.options.root, file)
      return onlyImage(await session.planRequest(file, query), query.text, shown)
    }
    return source === undefined
      ? session.plan(file, spec.use ?? use, spec.operations)
      : session.planBytes(file, source, spec.use ?? use, spec.operations)
  }

  const noting = (id: string) => (message: string) => void notices.set(id, (notices.get(id) ?? new Set()).add(message))

  async function name(file: string, query: ReferenceQuery, use: ImageUse, isLazy: boolean): Promise<ResolvedImage> {
    // Other plugins may add rules until the first module is resolved.
    hashed ??= areNamesHashed(naming())
    const planned = await plan(file, query, use)
    if (planned === undefined) {
      await session.original(file)
      return { id: '', name: originalName(file, hashed) }
    }
    const { id, stem, extension } = planned
    if (isLazy) return { id, name: `${stem}.${extension ?? path.extname(file).slice(1)}` }
    const own = extension === undefined ? (await session.finish(planned, noting(id))).name : `${stem}.${extension}`
    const isVariant = requestKindOf(query) === 'directives' || readSpec(query.text).operations !== undefined
    return { id, name: await moduleName(session, planned, own, { isVariant, hashed }) }
  }

  const build: ImageBuild = {
    session,
    identity: moduleIdentity(session),
    isLazy: false,
    sources: new WeakMap(),
    holders: new Map(),
    async useOf(issuer, file, request) {
      if (!converts && !isDrawing(file)) return 'content'
      const use = await boundUse(issuer, file, request)
      hashed ??= areNamesHashed(naming())
      // Two versions of one drawing would have one name.
      return use === 'picture' && !hashed ? 'content' : use
    },
    plan,
    async resolve(file, query, { use, isLazy }) {
      const key = [file, query.text, use, isLazy].join('\0')
      const made = await watchedFiles(session.files, file, query)
      const found = await Promise.all(made.map((each) => session.files.stat(each)))
      const version = found.flatMap((each) => [each?.mtimeMs, each?.size, each?.ino]).join()
      const known = resolved.get(key)
      if (known?.version === version) return known.image
      const image = name(file, query, use, isLazy)
      resolved.set(key, { version, image })
      // A failure is not an answer to keep: what the next build fails or succeeds by may be something else than the
      // file's bytes.
      image.catch(() => resolved.delete(key))
      return image
    },
    async finish(file, query, use) {
      const planned = await plan(file, query, use)
      return planned === undefined ? session.original(file) : session.finish(planned, noting(planned.id))
    },
    takeNotices(id) {
      const messages = [...(notices.get(id) ?? [])]
      notices.delete(id)
      return messages
    },
  }
  return build
}
