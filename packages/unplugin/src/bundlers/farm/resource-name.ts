import { createHash } from 'node:crypto'
import path from 'node:path'

/**
 * The name that Farm itself would give an asset: the template filled in, and a mark of the module, so that modules
 * whose results are called alike stay apart (`transform_output_filename` in its toolkit, `get_resource_name` in its
 * plugin_static_assets).
 * @param name the name of the image, with its extension
 * @param owner what tells the image apart in the project: the module's id, and the image's number in it.
 */
export function resourceName(template: string, name: string, data: Uint8Array, owner: string): string {
  const { name: stem, ext } = path.parse(name)
  const filled = replaceEither(template, ['[resourceName]', '[name]'], () => stem)
  const hashed = replaceEither(filled, ['[contentHash]', '[hash]'], () => digest(data, 8))
  const named = hashed.replaceAll('[ext]', ext.slice(1))
  const dot = named.lastIndexOf('.')
  const mark = `-${digest(owner, 6)}`
  return dot <= 0 ? named + mark : named.slice(0, dot) + mark + named.slice(dot)
}

/** Replaces the first of the placeholders that the template has; the other is then plain text. */
function replaceEither(template: string, placeholders: readonly string[], value: () => string): string {
  const placeholder = placeholders.find((each) => template.includes(each))
  return placeholder === undefined ? template : template.replaceAll(placeholder, value)
}

function digest(data: string | Uint8Array, length: number): string {
  return createHash('sha256').update(data).digest('hex').slice(0, length)
}
