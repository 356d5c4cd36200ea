import path from 'node:path'
import { demandType, finishAsNamed, typeOfName } from '../../../bundlers/webpack-like/finish-as-named.ts'
import { describeFailure } from '../../../bundlers/webpack-like/loader-context.ts'
import { deliveryQuery, readSpec, requestKindOf, withSpec } from '../../../bundlers/webpack-like/query.ts'
import { relativePath, relativeUrl } from '../../../base/paths.ts'
import { notePlace } from '../../../inspector/places.ts'
import { noteNearQuery, onlyImage, readQuery } from '../../../modules/reference.ts'
import type { ReferenceQuery } from '../../../modules/reference.ts'
import { renderAsImports } from '../../../modules/render-import.ts'
import { findImportQueries } from '../../../references/import-queries.ts'
import { watchedFiles } from '../../../session/plan/focus.ts'
import type { PlannedImage, Warn } from '../../../session/plan/images.ts'
import type { Session } from '../../../session/session.ts'
import { withExtension, withFile } from './parameters.ts'
import type { Answer, Question } from './questions.ts'

/** The session that answers the loaders of one project, and where that project is. */
export interface AnswerSettings {
  readonly session: Session
  /** Absolute path of the project. */
  readonly root: string
  /** Absolute path of the stand-ins. */
  readonly standIns: string
  /** Tells whether a converted image is named by its new type: see `namesByType`. */
  readonly namesByType: boolean
}

/** The content that a module gets, and what is said beside it. */
type Made = Omit<Answer, 'notices' | 'error'> & { readonly content: Uint8Array }

/**
 * Answers one question of a loader's.
 * @throws Error with a sentence that names the reference
 */
export async function answerLoader(
  settings: AnswerSettings,
  question: Question,
  content: Uint8Array,
  warn: Warn,
): Promise<Made> {
  const { session } = settings
  const { step, file, query: text } = question
  if (step === 'script') return { content, watched: [], imports: importsOf(String(content)) }
  const query = readQuery(text)
  try {
    if (step === 'image') return await makeImage(session, { ...question, query }, content, warn)
    const code = await renderModule(settings, { ...question, query }, warn)
    return { content: Buffer.from(code), watched: await watchedFiles(session.files, file, query) }
  } catch (error) {
    throw describeFailure(error, { resourcePath: file, resourceQuery: text }, session.options.root)
  }
}

/** Imports with directives, which become modules of our own. Everything else is the project's, and Next.js's. */
function importsOf(code: string): NonNullable<Answer['imports']> {
  return findImportQueries(code)
    .filter(({ query }) => requestKindOf(readQuery(query)) === 'directives')
    .map(({ specifier, query, start, end }) => ({ specifier, query, start, end }))
}

type Asked = Omit<Question, 'query'> & { readonly query: ReferenceQuery }

/**
 * The bytes of an image in the type that its name will have: imports without directives, `url()`, `new URL()`, and the
 * images of modules with directives.
 */
async function makeImage(session: Session, asked: Asked, content: Uint8Array, warn: Warn): Promise<Made> {
  const { file, query, extension, keeps } = asked
  const kind = requestKindOf(query)
  const { operations } = readSpec(query.text)
  const isPlain = kind === 'image' && operations === undefined
  if (!session.matches(file) || (isPlain && keeps)) return { content, watched: [] }
  if (kind === 'foreign') noteNearQuery(session, { file, query }, warn)
  if (kind === 'foreign' || kind === 'original') return { content, watched: [] }
  const watched = await watchedFiles(session.files, file, query)
  // A stand-in has no bytes of its own.
  const source = content.length > 0 ? content : await session.files.readFile(file)
  const name = `image.${extension}`
  const planned =
    kind === 'directives'
      ? await onlyOne(session, asked, warn)
      : session.planBytes(file, source, isPlain ? 'typed' : 'content', operations)
  const { data } = await finishAsNamed(session, planned, name, warn)
  return { content: data, watched }
}

/**
 * The one image that a reference of a stylesheet, or of `new URL()`, asks for. It has its name already, so it stays in
 * the type of that name.
 */
async function onlyOne(session: Session, { file, query, extension }: Asked, warn: Warn): Promise<PlannedImage> {
  const shown = relativePath(session.options.root, file)
  const planned = onlyImage(await session.planRequest(file, query, 'content'), query.text, shown)
  const type = typeOfName(`image.${extension}`)
  if (planned.plan === undefined || type === undefined || !isOtherType(planned.extension, extension)) return planned
  const sentence = `${shown}${query.text} stays ${extension}: Turbopack names an image of a stylesheet or of new URL() by its source. Next.js 16.2 and webpack convert it, and so does an import.`
  session.log.once(`turbopack type ${shown}`, () => warn(sentence))
  return demandType(session, planned, type)
}

const isOtherType = (planned: string | undefined, named: string): boolean =>
  planned !== undefined && planned.replace('jpeg', 'jpg') !== named.replace('jpeg', 'jpg')

/** The module of an import with directives. Every variant is a file of its own, which Turbopack names and emits. */
async function renderModule(settings: AnswerSettings, { file, query, keeps }: Asked, warn: Warn): Promise<string> {
  const { session, root, standIns, namesByType } = settings
  // The project has it left alone.
  if (!session.matches(file))
    return `export { default } from ${JSON.stringify(relativeUrl(standIns, file) + query.text)}\n`
  const planned = await session.planRequest(file, query)
  notePlace(session, file, root)
  const own = path.extname(file).slice(1).toLowerCase()
  const place = async (image: unknown, index: number): Promise<string> => {
    const { operations } = planned.request.variants[index]!
    const extension = await extensionOf(session, image as PlannedImage, warn)
    const spec = withSpec(deliveryQuery(query), { operations })
    if (!isOtherType(extension, own)) return relativeUrl(standIns, file) + spec
    if (namesByType) return relativeUrl(standIns, file) + withExtension(spec, extension)
    return `./image.${extension}${withFile(spec, relativePath(root, file))}`
  }
  return renderAsImports(session, planned, { onRequest: keeps, place, bind }, warn)
}

/** An import would bring a placeholder of each image along. */
const bind = (name: string, specifier: string): string =>
  `const ${name} = new URL(${JSON.stringify(specifier)}, import.meta.url).href;\n`

/** The extension of an image's type, which an encode tells where several are asked for. */
async function extensionOf(session: Session, image: PlannedImage, warn: Warn): Promise<string> {
  if (image.extension !== undefined) return image.extension
  return path.extname((await session.finish(image, warn)).name).slice(1)
}
