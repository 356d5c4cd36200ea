import { mkdir, rename } from 'node:fs/promises'
import path from 'node:path'
import { writeUses } from '../projects/site-project.mjs'

/** How a project can use an image. */
const USES = ['imports', 'css', 'html', 'new-url', 'public']

/**
 * The projects whose warm builds are measured. `bound` and `aim` are multiples of the processor time of a build without
 * a plugin; those without them only tell which use takes how much.
 */
export const PROJECTS = {
  mixed: { title: '1,000 images, 200 in each way', count: 1000, uses: USES, bound: 1.1, aim: 1.05 },
  imports: { title: '10,000 images, imported', count: 10_000, uses: ['imports'], bound: 1.1, aim: 1.05 },
  'only-imports': { title: '1,000 images, imported', count: 1000, uses: ['imports'] },
  'only-css': { title: '1,000 images, `url()`', count: 1000, uses: ['css'] },
  'only-html': { title: '1,000 images, `<img>`', count: 1000, uses: ['html'] },
  'only-new-url': { title: '1,000 images, `new URL()`', count: 1000, uses: ['new-url'] },
  'only-public': { title: '1,000 images, `public/`', count: 1000, uses: ['public'] },
}

/** Those that are measured where nobody names others. */
export const USUAL = ['mixed', 'imports']

/**
 * Writes a project around images that lie in `images/`, each of which is used in one way, and in turn in all of them.
 * @param names of the images
 */
export async function writeProject(folder, names, { uses }) {
  const used = Object.fromEntries(uses.map((use, turn) => [use, names.filter((_, at) => at % uses.length === turn)]))
  if (used.public !== undefined) await mkdir(path.join(folder, 'public'), { recursive: true })
  for (const name of used.public ?? []) {
    await rename(path.join(folder, 'images', name), path.join(folder, 'public', name))
  }
  await writeUses(folder, {
    imported: used.imports ?? [],
    styled: used.css ?? [],
    shown: used.html ?? [],
    located: used['new-url'] ?? [],
  })
}
