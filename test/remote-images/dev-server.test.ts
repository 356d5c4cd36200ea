import { createProject, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serve } from '../vite/serve.ts'
import type { DevServer } from '../vite/serve.ts'
import { serveImages } from './server.ts'
import type { ImageHost } from './server.ts'

let host: ImageHost
let project: Project
let dev: DevServer

beforeAll(async () => {
  host = await serveImages({ '/photos/a.jpg': await photo(80, 60, 1).jpeg(98) })
  const { origin } = host
  project = await createProject('remote-dev', {
    files: {
      'index.html': `<img src="${origin}/photos/a.jpg"><script type="module" src="/main.ts"></script>`,
      'main.ts': `import plain from '${origin}/photos/a.jpg?v=1'
        export { default as sized } from '${origin}/photos/a.jpg#?w=20&as=metadata'
        export const lazy = (): Promise<unknown> => import('${origin}/photos/a.jpg?v=2')
        export const text: string = "import a from '${origin}/photos/a.jpg'"
        export default plain`,
      'style.css': `.a { background: url(${origin}/photos/a.jpg) }`,
    },
  })
  dev = await serve(project, 'vite', { options: { remoteImages: [`${origin}/photos/**`] } })
})
afterAll(async () => {
  await dev?.close()
  await project?.dispose()
  await host?.close()
})

describe('remote images of a dev server', () => {
  it('keep their URLs in pages and stylesheets', async () => {
    const page = await dev.ask('/', { accept: 'text/html' })
    expect(page.body.toString()).toContain(`<img src="${host.origin}/photos/a.jpg">`)
    const css = await dev.ask('/style.css', { accept: 'text/css' })
    expect(css.body.toString()).toContain(`url(${host.origin}/photos/a.jpg)`)
  })

  it('are modules of their URLs in imports, and are fetched where directives ask something of them', async () => {
    const script = (await dev.ask('/main.ts')).body.toString()
    const [, plain] = /import plain from "([^"]+)"/.exec(script)!
    const [, sized] = /as sized \} from "([^"]+)"/.exec(script)!
    const [, lazy] = /import\("([^"]+)"\)/.exec(script)!
    expect(await dev.load(plain!)).toBe(`${host.origin}/photos/a.jpg?v=1`)
    expect(await dev.load(lazy!)).toBe(`${host.origin}/photos/a.jpg?v=2`)
    expect(await dev.load(sized!)).toMatchObject({ width: 20, height: 15 })
    expect(script).toContain(`"import a from '${host.origin}/photos/a.jpg'"`)
    expect(host.asked).toEqual(['/photos/a.jpg'])
  })
})
