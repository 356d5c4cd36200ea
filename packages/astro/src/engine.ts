/**
 * The pixel work of the image service. It is a module of its own because Astro bundles services with pages, where
 * native code cannot be. It is no public interface.
 */
import './same-release.ts'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { EXTENSIONS, createOptimizer, detectType } from '@pixpress/core'
import type { ImageType, InputType, MadeElsewhere, Operations, Position, QualityTarget } from '@pixpress/core'
import { POSITION_WORDS, isImageType, typeOfWord } from '@pixpress/core/internal'
import { askedOperations, decodePath, openSession, unaskedTypes } from 'unplugin-pixpress/internal'
import type { AskedImage, ReplacedTool, Session } from 'unplugin-pixpress/internal'
import type { AstroService, ImageConfig, ImageTransform } from './astro-types.ts'
import { ASTRO, held, staticImages } from './held-project.ts'
import { UNASKED } from './marks.ts'

/** Astro's words for `quality`, as a level of pixpress or a score. Nobody sees a difference at `max`. */
const QUALITIES: Readonly<Record<string, QualityTarget>> = { low: 'small', mid: 'balanced', high: 'high', max: 90 }

/**
 * Values of `fit` that the engine meets by itself, `contain` as Astro means it. With any other, Astro's service resizes
 * first.
 */
const FITS: Readonly<Record<string, AskedImage['fit']>> = {
  cover: 'cover',
  fill: 'fill',
  contain: 'inside',
  inside: 'inside',
  'scale-down': 'inside',
}

const CENTRED: readonly string[] = ['center', 'centre', 'center center', '50% 50%']

const warn = (message: string): void => console.warn(`[pixpress] ${message}`)

/** Returns the session of the project that is built; on a deployed server one with the operations it was built with. */
function sessionOf({ service }: ImageConfig): Session {
  const project = held()
  if (project !== undefined) return openSession(project.options, project.root, project.targets)
  return openSession({ ...(service.config['pixpress'] as Operations), report: false } as object, process.cwd())
}

/**
 * Returns the format of an image without a requested one where nobody can compare before it is requested (dev servers,
 * servers, remote images): the one that `convert` names, else WebP, which every browser shows.
 */
export function defaultFormat(config: ImageConfig): string {
  const given = sessionOf(config).options.operations.convert?.type
  const types = typeof given === 'string' ? [given] : (given ?? [])
  const type = types.length === 1 ? typeOfWord(types[0]!) : undefined
  return type === undefined ? 'webp' : EXTENSIONS[type]
}

/**
 * Gives an image without a requested format the smallest one: of those that `convert` allows, else WebP, and the
 * source's own. The service makes the image with the types that were compared here, so that it is encoded once.
 */
export async function inBestFormat(transform: ImageTransform, config: ImageConfig): Promise<ImageTransform> {
  const session = sessionOf(config)
  const usual = { ...transform, format: defaultFormat(config), [UNASKED]: true }
  const file = emittedSource(transform)
  if (file === undefined || !session.matches(file) || !isKnownFit(transform)) return usual
  const { types, mayBeOther } = typesToTry(session, file, transform)
  if (types[0] === undefined) return usual
  if (!mayBeOther) return { ...usual, format: EXTENSIONS[types[0]] }
  const asked = { ...usual, [UNASKED]: types }
  const operations = askedOperations(session.options, file, askedOf(asked))
  const { type, result } = await session.trial(session.planBytes(file, await readFile(file), 'typed', operations), warn)
  // An image that cannot be made has no smallest format.
  return result === undefined || type === 'application/octet-stream' ? usual : { ...asked, format: EXTENSIONS[type] }
}

/** Returns the absolute path of the source that a build has emitted, else `undefined`. */
function emittedSource({ src }: ImageTransform): string | undefined {
  const { isServed, emitted = new Map<string, string>() } = held() ?? {}
  if (isServed === true || typeof src === 'string') return undefined
  // Its keys are without the site's base.
  return [...emitted].find(([name]) => src.src.endsWith(`/${name}`))?.[1]
}

/** The types that an image may have, and whether an encode has to tell which. */
interface TriedTypes {
  readonly types: readonly ImageType[]
  readonly mayBeOther: boolean
}

function typesToTry({ options }: Session, file: string, { src, width, height }: ImageTransform): TriedTypes {
  const types = unaskedTypes(options, file)
  const source = src as Exclude<ImageTransform['src'], string>
  const { format } = source
  const type = typeOfWord(format)
  const own = type !== undefined && isImageType(type) ? type : undefined
  const keepsSize = (width ?? source.width) >= source.width && (height ?? source.height) >= source.height
  // Resized, a PNG or GIF is hardly ever smallest in its own type.
  const mayBeOwn = format === 'gif' ? keepsSize : own !== undefined && (own !== 'image/png' || keepsSize)
  const all = own !== undefined && (mayBeOwn || types.length === 0) ? [...new Set([...types, own])] : types
  return { types: all, mayBeOther: all.length > 1 || (mayBeOwn && all[0] !== own) }
}

/** Changes with the options and the engine. */
export function madeWith(config: ImageConfig): string {
  const { operations, remote } = sessionOf(config).options
  // Any header will do: a plan is made of the bytes' digest, the operations and the engine's versions.
  const header = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0])
  const { key } = createOptimizer({ cache: false }).plan(header, operations)
  return remote === undefined ? key.slice(0, 16) : `${key.slice(0, 16)}-remote`
}

/** Gives Astro's own service, which makes what the options exclude and types that the engine does not read. */
export type LoadAstro = () => Promise<AstroService>

/** One source as Astro's own service makes it. */
type AstroMakes = (transform: ImageTransform) => Promise<{ data: Uint8Array; format: string }>

/**
 * Makes one image, from the cache where it is there.
 * @throws PixpressError `INVALID_OPTION`; any code with `onError: 'error'`. Otherwise a broken image is given as it
 * was.
 */
export async function makeImage(
  bytes: Uint8Array,
  transform: ImageTransform,
  config: ImageConfig,
  loadAstro: LoadAstro,
): Promise<{ data: Uint8Array; format: string }> {
  const { counted } = held() ?? {}
  if (counted !== undefined) counted.made++
  const astro: AstroMakes = async (asked) => (await loadAstro()).transform(bytes, asked, config)
  const session = sessionOf(config)
  const type = detectType(bytes)
  const file = sourceFile(transform.src, session.options.root, type)
  if (type === undefined || !session.matches(file)) return astro(transform)
  const isVector = type === 'image/svg+xml'
  const isPlain = isVector || isKnownFit(transform)
  const source = isPlain ? bytes : await cropped(transform, astro)
  const asked = isPlain ? askedOf(transform) : lookOf(transform)
  const operations = isVector ? undefined : askedOperations(session.options, file, asked)
  const planned = session.planBytes(file, source, 'typed', operations)
  const make = held()?.isServed === true ? session.serve : session.finish
  const { data, type: made } = await make(planned, warn)
  if (session.baselines.isWanted) await session.baselines.measure(planned, astroItself(transform, config, astro))
  else session.baselines.replaces(ASTRO)
  return { data, format: made === 'application/octet-stream' ? (transform.format ?? 'jpg') : EXTENSIONS[made] }
}

/** Returns everything that a component asks of an image whose fit the engine knows. */
const askedOf = (transform: ImageTransform): AskedImage => ({ ...sizeOf(transform), ...lookOf(transform) })

const isKnownFit = ({ fit, position, width, height }: ImageTransform): boolean =>
  fit == null ||
  width == null ||
  height == null ||
  (Object.hasOwn(FITS, fit) && (FITS[fit] !== 'cover' || isUsual(position) || POSITION_WORDS.includes(position)))

/** Tells whether the engine decides which part a crop keeps. */
const isUsual = (position: ImageTransform['position']): position is null | undefined =>
  position == null || CENTRED.includes(position)

function sizeOf({ width, height, fit, position }: ImageTransform): AskedImage {
  const asked = fit == null ? undefined : FITS[fit]
  return {
    width,
    height,
    fit: asked,
    position: asked !== 'cover' || isUsual(position) ? undefined : (position as Position),
  }
}

function lookOf({ format, quality, background, [UNASKED]: tried }: ImageTransform): AskedImage {
  const type = format == null ? undefined : typeOfWord(format)
  const named = type !== undefined && isImageType(type) ? type : undefined
  return {
    type: Array.isArray(tried) ? (tried as ImageType[]) : named,
    quality: qualityOf(quality),
    background,
  }
}

/** A number is a score, as everywhere in pixpress. */
function qualityOf(quality: ImageTransform['quality']): QualityTarget | undefined {
  if (quality == null || quality === '') return undefined
  const score = Number(quality)
  return Number.isNaN(score) ? (QUALITIES[quality] ?? (quality as QualityTarget)) : score
}

/**
 * Crops losslessly with Astro's own service where the engine has no word for the crop, so that the promise is kept from
 * there on.
 */
async function cropped(transform: ImageTransform, astro: AstroMakes): Promise<Uint8Array> {
  const { format: _, quality: __, background: ___, ...geometry } = transform
  return (await astro({ ...geometry, format: 'png' })).data
}

/** Makes Astro's own result for the same request, for comparison; in its default type where no type is asked for. */
function astroItself(transform: ImageTransform, config: ImageConfig, astro: AstroMakes): ReplacedTool {
  const { width, height, format: named, quality, fit, position, background, [UNASKED]: unasked } = transform
  const format = unasked === undefined ? named : 'webp'
  const { pixpress: _, ...settings } = config.service.config
  const asked = { width, height, format, quality, fit, position, background }
  return {
    tool: ASTRO,
    request: () => JSON.stringify([versionsOfProject(), asked, settings]),
    async make(): Promise<MadeElsewhere> {
      const src = typeof transform.src === 'string' ? transform.src : transform.src.src
      const { data } = await astro({ ...asked, src })
      if (format === 'svg') return { data }
      const lossless = await astro({ ...asked, src, format: 'png', quality: undefined })
      return { data, lossless: lossless.data }
    },
  }
}

/**
 * Versions of the project's Astro and of the sharp that its pages load: the project's own, or Astro's where it has
 * none.
 */
function versionsOfProject(): readonly unknown[] {
  const { root = process.cwd() } = held() ?? {}
  const ofProject = createRequire(path.join(root, 'astro.config.mjs'))
  const astro = ofProject.resolve('astro/package.json')
  const sharp = ofProject.resolve('sharp', { paths: [root, path.dirname(astro)] })
  const { versions } = ofProject(sharp) as { versions: object }
  return [(ofProject(astro) as { version: string }).version, versions]
}

/**
 * Returns the absolute path of the source where it is known, else one that names the image: for `overrides`, reports
 * and messages.
 */
function sourceFile(src: ImageTransform['src'], root: string, type: InputType | undefined): string {
  const url = typeof src === 'string' ? src : src.src
  const [, original] = [...staticImages()].find(([key]) => url.endsWith(key)) ?? []
  if (original?.originalSrcPath !== undefined) return original.originalSrcPath
  const { host, pathname } = new URL(url, 'file:///')
  const decoded = decodePath(pathname)
  if (decoded.startsWith('/@fs/')) return path.normalize(decoded.slice('/@fs'.length))
  const named = path.join(root, host, decoded)
  // Remote images need no extension.
  return host === '' || type === undefined || path.extname(named) !== '' ? named : `${named}.${EXTENSIONS[type]}`
}
