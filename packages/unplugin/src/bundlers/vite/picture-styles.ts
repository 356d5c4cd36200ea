import type { Plugin } from 'vite'
import { splitUrl } from '../../references/url.ts'
import { NOT_STYLESHEET, STYLESHEET } from './alternatives.ts'
import type { ProjectHolder } from './project.ts'
import { decisionsOf, showsPictures, sideOf } from './picture-notes.ts'

/**
 * Notes the rules of every stylesheet, as compilers have made them, for the decision on images of templates. It stands
 * among the project's plugins, before Vite takes the stylesheets out of their modules.
 */
export function pictureStyles(holder: ProjectHolder): Plugin {
  return {
    name: 'pixpress:picture-styles',
    apply: 'build',
    transform: {
      filter: { id: { include: STYLESHEET, exclude: NOT_STYLESHEET } },
      handler(css, id) {
        // Before 6.3 Vite knows no filters.
        if (!STYLESHEET.test(id) || NOT_STYLESHEET.test(id) || !showsPictures(holder)) return null
        const project = holder.current
        const { path: file } = splitUrl(id)
        const isComponent = /\.(?:vue|svelte|astro)$/.test(file)
        decisionsOf(project).stylesheet(sideOf(project, this), id, { css, ...(isComponent && { owner: file }) })
        return null
      },
    },
  }
}
