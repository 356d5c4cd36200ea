import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './bootstrap.mjs'

/** Imports what one of the workspace's packages depends on. */
export async function importFrom(folder, name) {
  const file = createRequire(path.join(root, folder, 'package.json')).resolve(name)
  const module = await import(pathToFileURL(file).href)
  return module.default ?? module
}
