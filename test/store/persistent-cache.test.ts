import { photo, startGcsDouble } from '@pixpress/testkit'
import type { GcsDouble, Project } from '@pixpress/testkit'
import { afterEach, expect, it } from 'vitest'
import { build, createBundlerProject } from '../webpack/build.ts'
import type { BuildResult, Bundler } from '../webpack/build.ts'

const TOKEN = 'ya29.a-token'

let project: Project | undefined
let double: GcsDouble | undefined
afterEach(async () => {
  await project?.dispose()
  await double?.close()
  project = double = undefined
})

const CONFIG: Readonly<Record<Bundler, string>> = {
  webpack: `{ cache: { type: 'filesystem', cacheDirectory: import.meta.dirname + '/.cache' } }`,
  rspack: `{ cache: { type: 'persistent', storage: { type: 'filesystem', directory: import.meta.dirname + '/.cache' } } }`,
}

it.each(['webpack', 'rspack'] as const)(
  '%s refers to the store of today with a cache of yesterday',
  async (bundler) => {
    double = await startGcsDouble('pictures', { [TOKEN]: 'write' })
    project = await createBundlerProject(bundler, 'store-cache', {
      'src/main.js': "import photo from './photo.jpg'\nglobalThis.result = photo\n",
      'src/photo.jpg': await photo(320, 240).jpeg(95),
    })
    const { endpoint } = double
    const buildTo = (folder: string): Promise<BuildResult> => {
      const store = {
        service: 'gcs',
        gcp_access_token: TOKEN,
        path: `pictures/${folder}`,
        endpoint,
        manifest: 'images.json',
      }
      return build(project!, bundler, {
        options: JSON.stringify({ store }),
        config: CONFIG[bundler],
        evaluate: true,
      })
    }
    const puts = (): number => double!.requests.filter(({ method }) => method === 'PUT').length

    const first = await buildTo('a')
    expect(first.errors).toEqual([])
    expect(first.result).toMatch(/\/pictures\/a\/photo\.[\da-f]{16}\.jpg$/)
    const manifest = await project.read('images.json')
    expect(puts()).toBe(1)

    await project.write('images.json', '')
    expect((await buildTo('a')).result).toBe(first.result)
    expect(await project.read('images.json')).toEqual(manifest)
    expect(puts()).toBe(1)

    const moved = await buildTo('b')
    expect(moved.result).toBe((first.result as string).replace('/a/', '/b/'))
    expect((await fetch(moved.result as string)).status).toBe(200)
    expect(puts()).toBe(2)
  },
)
