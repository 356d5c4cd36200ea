import type { FoundImage } from '../../templates/found-image.ts'
import type { Shown } from '../../templates/jsx.ts'
import type { ViteProject } from './project.ts'
import { noteImage } from './picture-notes.ts'
import { SHOWN } from './picture-modules.ts'

/** The function that looks an image up by its URL. */
const FIND = 'pixpress_find'

/** The component's name, which is one of a component in Solid and Svelte alike. */
const COMPONENT = 'PixpressShown'

/** Describes what a rewritten component imports. */
export interface TemplateImports {
  /** The name of the component that stands in for an image or around it. */
  readonly component: string
  readonly statements: readonly string[]
  /** Names or look-ups of the images, in their order. */
  readonly shown: readonly Shown[]
}

/**
 * Notes the images of a component, and gives the imports that show them.
 * @param file absolute path of the component
 */
export function importImages(
  project: ViteProject,
  file: string,
  library: 'solid' | 'svelte',
  images: readonly FoundImage[],
): TemplateImports {
  const statements = [
    `import ${COMPONENT} from ${JSON.stringify(SHOWN + library)};`,
    `import { find as ${FIND} } from ${JSON.stringify(`${SHOWN}find`)};`,
  ]
  const shown = images.map((image, index): Shown => {
    const noted = noteImage(project, file, index, image)
    if (noted.shown === undefined) return { find: FIND, isShown: noted.isShown }
    const binding = `pixpress_shown_${index}`
    statements.push(`import ${binding} from ${JSON.stringify(noted.shown)};`)
    return binding
  })
  return { component: COMPONENT, statements, shown }
}
