import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'

/** What tells a folder of this name from one with sources: nothing else has the name, or what lies in it and beside it. */
type Sign = 'name' | 'contents'

/** Folders that bundlers and frameworks write. */
const OUTPUT_FOLDERS: Readonly<Record<string, Sign>> = {
  '.astro': 'name',
  '.docusaurus': 'name',
  '.netlify': 'name',
  '.next': 'name',
  '.nuxt': 'name',
  '.output': 'name',
  '.parcel-cache': 'name',
  '.svelte-kit': 'name',
  '.turbo': 'name',
  '.vercel': 'name',
  '.vinxi': 'name',
  _site: 'contents',
  build: 'contents',
  dist: 'contents',
  doc_build: 'contents',
  out: 'contents',
  'storybook-static': 'contents',
}

/** What a finished build has at its top, or in the folder of its client. */
const BUILT = /\.(?:html|css)$|^(?:assets|_next|_astro|_nuxt|static|manifest\.json|\.vite)$/

/** Whether a folder may be one that a build writes, by its name alone. */
export const mayBeOutput = (folder: string): boolean => Object.hasOwn(OUTPUT_FOLDERS, path.basename(folder))

/**
 * Whether a folder is one that a build has written: by its name, or where sources may have that name too, by a manifest beside it
 * and by built files in it. A folder that Git tracks has to be asked for before.
 */
export async function isOutput(folder: string): Promise<boolean> {
  if (OUTPUT_FOLDERS[path.basename(folder)] === 'name') return true
  const beside = await stat(path.join(path.dirname(folder), 'package.json')).catch(() => undefined)
  if (beside === undefined) return false
  const names = await namesIn(folder)
  // A package of a workspace may be called 'build'.
  if (names.includes('package.json')) return false
  const inner = names.includes('client') ? await namesIn(path.join(folder, 'client')) : []
  return [...names, ...inner].some((name) => BUILT.test(name))
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch((): string[] => [])
