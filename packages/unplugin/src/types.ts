import './base/same-release.ts'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Options } from './session/options/options.ts'
import { openSession } from './session/registry.ts'
import { OPTIONS_MARK } from './types/write.ts'
import type { TypesResult } from './types/write.ts'

export type { TypesResult } from './types/write.ts'

/**
 * Writes the types of a project's image imports, as the plugin does with its option `types`.
 * @param settings `root`: the project's folder, absolute. `file`: relative to it, or absolute. `options`: the plugin's;
 *   by default those that the file was written with. `check`: only tells whether the file would change
 * @throws PixpressError `INVALID_OPTION`
 */
export async function writeTypes(settings: {
  root: string
  file: string
  options?: Options | undefined
  check?: boolean | undefined
}): Promise<TypesResult> {
  const { root, file, check } = settings
  const options = settings.options ?? (await recordedOptions(path.resolve(root, file)))
  const {
    types: _file,
    engine: _engine,
    store: _store,
    root: _root,
    publicPath: _path,
    ...shaping
  } = options as Options & {
    publicPath?: string
  }
  const session = openSession({ ...shaping, types: file, cache: false, report: false }, root)
  return session.types!.update(check)
}

async function recordedOptions(file: string): Promise<Options> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const line = text.split('\n').find((each) => each.startsWith(OPTIONS_MARK))
  return line === undefined ? {} : (JSON.parse(line.slice(OPTIONS_MARK.length)) as Options)
}
