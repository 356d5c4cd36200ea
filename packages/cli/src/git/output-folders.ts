import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'

/**
 * The sign that tells an output folder of this name from one with sources: its name alone, or its contents and
 * neighbours.
 */
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

/** Matches files at the top of a finished build, or of the folder of its client. */
const BUILT = /\.(?:html|css)$|^(?:assets|_next|_astro|_nuxt|static|manifest\.json|\.vite)$/

/** Returns whether a build may write a folder of this name. */
export const mayBeOutput = (folder: string): boolean => Object.hasOwn(OUTPUT_FOLDERS, path.basename(folder))

/**
 * Returns whether a build has written a folder: by its name, or where sources may have that name too, by a manifest
 * beside it and by built files in it. A folder that Git tracks has to be asked for before.
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
