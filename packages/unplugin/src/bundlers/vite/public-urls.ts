import { EXTENSION_PATTERN } from '@pixpress/core/internal'
import type { Plugin } from 'vite'
import { copiedImages } from '../../copies/copied-images.ts'
import { decodePath } from '../../references/url.ts'
import type { ProjectHolder, ViteProject } from './project.ts'
import { showsPictures } from './picture-notes.ts'
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
      handler(code, id) {
        if (!FOREIGN.test(id) && showsPictures(holder)) holder.current.namesInScripts.set(id, namesIn(code))
        return null
      },
    },
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
