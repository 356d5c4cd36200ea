import { createHash } from 'node:crypto'
import path from 'node:path'
import { distinctName } from '../../modules/distinct-name.ts'
import type { PlannedImage } from '../../session/plan/images.ts'
import type { Session } from '../../session/session.ts'

/** The part of a bundler's options that asset names come from. */
export interface NamingOptions {
  readonly output: { readonly assetModuleFilename?: unknown }
  readonly module: { readonly generator?: unknown; readonly rules?: unknown }
}

/**
 * Tells whether every template of asset names has a content hash. A function may do anything, so it counts as none.
 */
export function areNamesHashed({ output, module }: NamingOptions): boolean {
  const templates = [output.assetModuleFilename, ...filenamesIn(module.generator), ...filenamesIn(module.rules)]
  return templates.every(
    (template) => template === undefined || (typeof template === 'string' && /\[(?:content)?hash[\]:]/.test(template)),
  )
}

/** Every `generator.filename` below a value, through lists and nested rules. */
function filenamesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(filenamesIn)
  if (typeof value !== 'object' || value === null) return []
  const { filename, ...others } = value as Record<string, unknown>
  const nested = Object.entries(others).flatMap(([key, each]) =>
    key === 'use' || key === 'options' ? [] : filenamesIn(each),
  )
  return filename === undefined ? nested : [filename, ...nested]
}

/**
 * The file name of an image's module.
 * @param name With the extension that fits its bytes.
 * @param isVariant whether the same file may be in the build with other operations too.
 * @param hashed whether the bundler's names tell equal ones apart by their content.
 */
export async function moduleName(
  session: Session,
  planned: PlannedImage,
  name: string,
  { isVariant, hashed }: { isVariant: boolean; hashed: boolean },
): Promise<string> {
  const distinct = await distinctName(session, { planned, name })
  if (hashed || !isVariant || planned.plan === undefined) return distinct
  const { name: stem, ext } = path.parse(distinct)
  const operations = createHash('sha256').update(JSON.stringify(planned.plan.operations)).digest('hex')
  return `${stem}-${operations.slice(0, 8)}${ext}`
}

/** The name of the untouched bytes beside the processed ones. */
export function originalName(file: string, hashed: boolean): string {
  const { base, name, ext } = path.parse(file)
  return hashed ? base : `${name}-original${ext}`
}

/** The folder of the URLs under which a dev server encodes images when it is asked for them. */
const LAZY_FOLDER = '@pixpress'

/** Relative to the public path: `@pixpress/<id>/<name>`. */
export function lazyPath(id: string, name: string): string {
  return path.posix.join(LAZY_FOLDER, id, name)
}

/** Returns `true` for a file's path, or the path of a URL, that `lazyPath` made. */
export function isLazyPath(file: string | undefined): boolean {
  return file !== undefined && LAZY_PATH.test(file)
}

/** A file's path or the path of a URL below `lazyPath`; the group is the id. */
export const LAZY_PATH: RegExp = /[\\/]@pixpress[\\/]([\da-f]{16})[\\/][^\\/]+$/
