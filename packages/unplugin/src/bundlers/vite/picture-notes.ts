import { createHash } from 'node:crypto'
import { createDecisions } from '../../templates/decisions.ts'
import type { Decisions, Side } from '../../templates/decisions.ts'
import type { FoundImage, NotedPlace } from '../../templates/found-image.ts'
import { relativePath } from '../../base/paths.ts'
import type { Session } from '../../session/session.ts'
import { offersOthers } from './alternatives.ts'
import type { BuildContext, ProjectHolder, ViteProject } from './project.ts'
import { buildConfig, IMAGE_PATH } from './project.ts'

/** The parameter of the import that holds what a picture is made of. Its value is the key of the image. */
export const PICTURE_PARAMETER = 'pixpress-picture'

/** Decisions are shared by all environments and plugin instances of a session. */
const DECISIONS = new WeakMap<Session, Decisions>()

/** The decisions of a project. */
export function decisionsOf({ session }: ViteProject): Decisions {
  const known = DECISIONS.get(session) ?? createDecisions(session.options.workDir)
  DECISIONS.set(session, known)
  return known
}

/** Tells whether images of templates are shown in pictures: builds of sites whose pages offer several types. */
export function showsPictures(holder: ProjectHolder): boolean {
  const project = holder.current
  return offersOthers(project) && project.config.build.lib === false
}

/** Which side a build is for. */
export const sideOf = (project: ViteProject, context: BuildContext): Side =>
  buildConfig(project, context).build.ssr === false ? 'client' : 'server'

/** Tells whether a specifier can be one of an image that may get a picture: no other plugin's, and no other host's. */
export const isImageSpecifier = (specifier: string): boolean =>
  IMAGE_PATH.test(specifier) && !/^(?:[a-z][\w+.-]*:|\/\/)/i.test(specifier) && !/\.svg(?:[?#]|$)/i.test(specifier)

/**
 * Notes an image of a component.
 * @param file absolute path of the component
 * @param index its number among those of the file
 */
export function noteImage(project: ViteProject, file: string, index: number, image: FoundImage): NotedPlace {
  const key = keyOf(`${relativePath(project.config.root, file)} ${index}`)
  decisionsOf(project).note(key, { ...image, file })
  const { specifier } = image
  const shown = specifier && specifier + (specifier.includes('?') ? '&' : '?') + `${PICTURE_PARAMETER}=${key}`
  return { isShown: placeStandIn(key), shown }
}

/** A short name that is the same on every machine. */
const keyOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

/** The key of an image that scripts import, and whose URL components may show. */
export const noteKeyOf = ({ config }: ViteProject, id: string): string => keyOf(relativePath(config.root, id))

/** The text that stands for what a picture is made of until that is decided. */
export const pictureStandIn = (key: string): string => `__PIXPRESS_PICTURE_${key}__`

/** The text that stands for whether a place has a picture. */
export const placeStandIn = (key: string): string => `__PIXPRESS_PLACE_${key}__`

/** The text that stands before the URL of an image, in brackets, and notes what is shown for it. */
export const noteStandIn = (key: string): string => `__PIXPRESS_NOTE_${key}__`

/** The call that stands for noting what is shown for URLs of the public folder. */
export const TABLE_STAND_IN = '__PIXPRESS_TABLE_000000000000__'
