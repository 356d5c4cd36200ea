import { createProject, graphic, photo, startGcsDouble } from '@pixpress/testkit'
import type { GcsDouble, Project } from '@pixpress/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Options } from 'unplugin-pixpress/rollup'
import { bundle } from '../rollup/bundle.ts'
import type { Output } from '../rollup/bundle.ts'
import { stylesheets } from '../rollup/stylesheets.ts'

let project: Project
let double: GcsDouble

beforeEach(async () => {
  double = await startGcsDouble('pictures', { writer: 'write', reader: 'read' })
  project = await createProject('store-postcss', {
    files: {
      'src/main.js': `import './css/style.css'\nexport { default as photo } from './photo.jpg'`,
      'src/css/style.css':
        '.a { background: url(../photo.jpg) }\n' +
        '.b { background: image-set("../white space.png?w=50#top" 1x, url(../photo.jpg?w=80) 2x) }\n' +
        '.c { background: url(../white%20space.png?inline) }',
      'src/photo.jpg': await photo(320, 240).jpeg(95),
      'src/white space.png': await graphic(120, 90).png(),
    },
  })
})

afterEach(async () => {
  await project.dispose()
  await double.close()
})

function build(token: string): Promise<Output> {
  const options: Options = {
    root: project.root,
    report: false,
    store: {
      service: 'gcs',
      gcp_access_token: token,
      path: 'pictures',
      endpoint: double.endpoint,
      manifest: 'images.json',
    },
  }
  return bundle('rollup', project, { options, after: [stylesheets(options, true)] })
}

const puts = (): number => double.requests.filter(({ method }) => method === 'PUT').length

it('refers to the store in the stylesheets of PostCSS, and to the same images as scripts do', async () => {
  const { files, code } = await build('writer')
  const css = files.get('css/style.css') as string
  const base = `${double.endpoint}/pictures/`
  const addresses = [...css.matchAll(/https?:[^"')]+/g)].map(([address]) => address)
  expect(addresses.map((address) => address.slice(base.length).replace(/\.[\da-f]{16}\./, '.'))).toEqual([
    'photo.jpg',
    'white%20space-50.png#top',
    'photo-80.jpg',
  ])
  expect(css).toContain('.c { background: url(data:image/png;base64,')
  expect(code).toContain(`"${addresses[0]}"`)
  for (const address of addresses) expect([address, (await fetch(address)).status]).toEqual([address, 200])
  expect([...files.keys()].toSorted()).toEqual(['css/style.css', 'main.js'])
  expect(puts()).toBe(3)

  const manifest = JSON.parse(await project.readText('images.json')) as Record<string, string[]>
  expect(manifest).toEqual({
    'src/photo.jpg': [addresses[0], addresses[2]].toSorted(),
    'src/white space.png': [addresses[1]!.replace('#top', '')],
  })
})

it('fails where an image of a stylesheet cannot be stored', async () => {
  await project.write('src/main.js', `import './css/style.css'`)
  await expect(build('reader')).rejects.toThrow(/src\/(?:photo\.jpg|white space\.png): .* pictures\//)
  expect(await project.list('dist')).toEqual([])
  expect(await project.list('.')).not.toContain('images.json')
})
