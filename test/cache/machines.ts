import { createProject, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'

/** The key that signs entries in these tests. */
export const SIGNING_KEY = 'd0e6f1c2b3a4958677685a4b3c2d1e0f'

/** The sources of the site, relative to it. */
export const SOURCES = ['src/a.png', 'src/b.png', 'src/c.png'] as const

/** One checkout of a site with three images, one of them asked for in another size and type. */
export async function checkOut(name: string): Promise<Project> {
  return createProject(name, {
    files: {
      'index.html': '<!doctype html><title>x</title><script type="module" src="./src/main.js"></script>',
      'src/main.js': `import a from './a.png'\nimport b from './b.png?w=60&format=webp'\nimport c from './c.png'\nglobalThis.site = { js: { a, b, c } }`,
      'src/a.png': await photo(80, 60, 1).png(),
      'src/b.png': await photo(120, 90, 2).png(),
      'src/c.png': await photo(90, 60, 3).png(),
    },
  })
}

/** Keys of the results in a checkout's own cache. */
export async function entriesOf(checkout: Project): Promise<string[]> {
  const files = await checkout.list('.cache/pixpress').catch(() => [])
  return files.flatMap((file) => /[\da-f]{64}$/.exec(file)?.[0] ?? []).sort()
}
