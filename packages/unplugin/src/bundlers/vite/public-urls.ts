import { EXTENSION_PATTERN } from '@pixpress/core/internal'
import type { Plugin, Rolldown } from 'vite'
import { copiedImages } from '../../copies/copied-images.ts'
import { decodePath } from '../../references/url.ts'
import type { SyntaxNode } from '../../templates/syntax.ts'
import { mayHoldDecided, takeDecided } from './decided-images.ts'
import type { DecidedImages } from './decided-images.ts'
import type { ProjectHolder, ViteProject } from './project.ts'
import { isImageSpecifier, showsPictures } from './picture-notes.ts'
import { publicUrlOf } from './public-pictures.ts'

const FOREIGN = /^\0|\/node_modules\//

/** The end of a string, of JSON in a script too, that ends with the name of an image. */
const END = new RegExp(String.raw`${EXTENSION_PATTERN}(?=\\?["'${'`'}])`, 'gi')

/** Characters that no string and no part of a template literal holds. */
const BEGIN = /["'`{}<>\\\n]/

/** Characters of a URL that are looked at. */
const LONGEST = 512

/**
 * Collects the ends of strings in scripts that name images. URLs of the public folder come to components with data, and
 * no module stands for what they name.
 */
export function publicUrls(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:public-urls',
    // Rewritten components import what they name, so that only strings of data are left.
    enforce: 'post',
    apply: 'build',
    transform: {
      filter: { id: { exclude: FOREIGN }, code: new RegExp(END.source, 'i') },
      async handler(code, id) {
        if (FOREIGN.test(id) || !showsPictures(holder)) return null
        const { namesInScripts, decided } = holder.current
        const found = mayHoldDecided(code) ? decidedIn(code, (text) => this.parse(text)) : undefined
        namesInScripts.set(id, namesIn(found?.rest ?? code))
        const resolved = (found?.imports ?? []).filter(isImageSpecifier).map((each) => this.resolve(each, id))
        const imports = (await Promise.all(resolved)).flatMap((each) => each?.id ?? [])
        decided.set(id, { urls: found?.urls ?? [], imports })
        return null
      },
    },
  }
}

/** Gives the images of a script that their authors have decided about; `undefined` for what is no script. */
function decidedIn(code: string, parse: (code: string) => unknown): DecidedImages | undefined {
  try {
    return takeDecided(code, parse(code) as SyntaxNode)
  } catch {
    return undefined
  }
}

/** The ends of strings that name images, decoded. */
export function namesIn(code: string): string[] {
  const names = new Set<string>()
  for (const { index, 0: extension } of code.matchAll(END)) {
    const end = index + extension.length
    let start = index
    while (start > 0 && end - start < LONGEST && !BEGIN.test(code[start - 1]!)) start--
    if (start < index) names.add(decodePath(code.slice(start, end)))
  }
  return [...names]
}

/** The part of a hook's context that tells who imports a module. */
type ModuleGraph = Pick<Rolldown.PluginContext, 'getModuleInfo'>

/**
 * Tells whether a module is imported for images alone that their authors have decided about. Vite has modules for URLs
 * of the public folder as well that scripts import.
 */
export function isDecidedImport({ decided }: ViteProject, graph: ModuleGraph, id: string): boolean {
  const { importers = [], dynamicImporters = [] } = graph.getModuleInfo(id) ?? {}
  const isFor = (importer: string): boolean => decided.get(importer)?.imports.includes(id) === true
  return importers.length > 0 && dynamicImporters.length === 0 && importers.every(isFor)
}

/**
 * The images of the public folder that scripts of a build name: by the whole URL, or by its end where the rest is put
 * before it.
 * @param ids of the build's modules
 * @returns URLs in one order in every build, encoded and not
 */
export async function publicUrlsOf(project: ViteProject, ids: readonly string[]): Promise<string[]> {
  const { publicDir } = project.config
  const names = new Set(ids.flatMap((id) => project.namesInScripts.get(id) ?? []))
  if (publicDir === '' || names.size === 0) return []
  const urls = (await copiedImages(project.session, publicDir)).flatMap((file) => publicUrlOf(project, file) ?? [])
  const named = urls.filter((url) => endsOf(url).some((end) => names.has(end)))
  return [...new Set(named.flatMap((url) => [url, encodeURI(url)]))]
}

/** `/a/b.png`, `a/b.png`, `/b.png` and `b.png` of the first. */
function endsOf(url: string): string[] {
  const starts = [...url.matchAll(/\//g)].flatMap(({ index }) => [index, index + 1])
  return starts.map((start) => url.slice(start))
}
