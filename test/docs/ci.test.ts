import { expect, it } from 'vitest'
import { markdownFiles, readPage } from './markdown.ts'

it('the documented steps of CI restore the default cache folder, install, and build, in this order', async () => {
  const found: string[] = []
  for (const file of await markdownFiles()) {
    for (const [, steps] of (await readPage(file)).matchAll(/^```yaml\n([^]*?)^```$/gm)) {
      if (!steps!.includes('actions/cache')) continue
      found.push(file)
      const uses = [...steps!.matchAll(/^- (?:uses|run): (.+)$/gm)].map(([, what]) => what!.replace(/@.*/, ''))
      expect([file, uses]).toEqual([
        file,
        ['actions/checkout', 'actions/setup-node', 'actions/cache', 'npm ci', 'npm run build'],
      ])
      expect([file, /^ +path: (.+)$/m.exec(steps!)?.[1]]).toEqual([file, '.cache/pixpress'])
    }
  }
  expect(found).toEqual(['docs/options.md', 'docs/self-hosted.md'])
})
