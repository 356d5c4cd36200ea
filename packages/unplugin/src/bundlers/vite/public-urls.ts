import { EXTENSION_PATTERN } from '@pixpress/core/internal'
import type { Plugin } from 'vite'
import type { ProjectHolder, ViteProject } from './project.ts'
import { showsPictures } from './picture-notes.ts'
import { isPublicImage } from './public-pictures.ts'

const FOREIGN = /^\0|\/node_modules\//

/** A string of a script, or of JSON in one, that may be a URL of an image of the public folder. */
const URL_STRING = new RegExp(String.raw`(["'${'`'}])(/[^"'${'`'}\\<>\n]+${EXTENSION_PATTERN})\\?\1`, 'gi')

/**
 * Collects URLs of the public folder that scripts have as strings. They come to components with data, and no module
 * stands for what they name.
 */
export function publicUrls(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:public-urls',
    // Rewritten components import what they name, so that only strings of data are left.
    enforce: 'post',
    apply: 'build',
    transform: {
      filter: { id: { exclude: FOREIGN }, code: new RegExp(URL_STRING.source, 'i') },
      handler(code, id) {
        if (FOREIGN.test(id) || !showsPictures(holder)) return null
        const project = holder.current
        const urls = new Set([...code.matchAll(URL_STRING)].map(([, , url]) => url!))
        project.publicUrls.set(
          id,
          [...urls].filter((url) => isPublicImage(project, url)),
        )
        return null
      },
    },
  }
}

/** The URLs in scripts of a build, in one order in every build. @param ids of the build's modules */
export function publicUrlsOf(project: ViteProject, ids: readonly string[]): string[] {
  return [...new Set(ids.flatMap((id) => project.publicUrls.get(id) ?? []))].sort()
}
