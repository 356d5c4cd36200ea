import { spawnSync } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createProject, photo, transparentGraphic, naming } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readQuery } from '../../src/modules/reference.ts'
import type { Options } from '../../src/session/options/options.ts'
import { openSession } from '../../src/session/registry.ts'
import { writeTypes } from '../../src/types.ts'

const FILE = 'src/pixpress.d.ts'
const OPTIONS: Options = { presets: { hero: { w: [20, 40], format: ['webp', 'jpg'], as: 'picture' } } }

let project: Project
beforeAll(async () => {
  project = await createProject('types', {
    files: {
      'src/photo.png': await photo(60, 40).png(),
      'src/small.png': await photo(20, 16).png(),
      'src/logo.png': await transparentGraphic(50, 30, 4).png(),
      'src/a.ts': `
        import url from './photo.png?w=20'
        import urls from './photo.png?w=20;40'
        import img, { srcset } from './photo.png?as=img&w=20;40'
        import picture from './photo.png?w=20;40&as=picture&format=avif;webp;jpg'
        import hero, { sources } from './photo.png?preset=hero'
        import one from './photo.png?as=metadata&w=20&format=webp'
        import placeholder from './photo.png?as=img&w=20&lqip=thumbhash'
        import original from './photo.png?original'
        import either from './small.png?w=24;48&as=img'
        export const wide: number = one.width
        export const strings: string[] = [url, ...urls, img.srcset, srcset, picture.sources.avif, picture.sources.webp, original]
        export const more: string[] = [hero.sources.webp, sources.jpeg, placeholder.placeholder, placeholder.color]
        export const webp: 'webp' = one.format
        export const hash: string | undefined = placeholder.hash
        export const two: [string, string] = urls
        // @ts-expect-error a URL is none
        export const wrong: number = url
        // @ts-expect-error it is not made
        export const missing: string = hero.sources.avif
        // @ts-expect-error the picture of a.ts has two sizes, that of b.ts one
        export const sometimes: string = either.srcset`,
      'src/b.ts': "import either from './photo.png?w=24;48&as=img'\nexport { either }\n",
      'src/other.ts': "import x from './x.svg?react'\nexport { x }\n",
    },
  })
})
afterAll(() => project.dispose())

const write = (options?: Options, check = false): ReturnType<typeof writeTypes> =>
  writeTypes({ root: project.root, file: FILE, ...(options && { options }), check })

describe('writeTypes', () => {
  it('writes a module for every query, whatever the order of its directives', async () => {
    expect(await write(OPTIONS)).toEqual({ changed: true, queries: 9, problems: [] })
    expect(await project.readText(FILE)).toMatchSnapshot()
  })

  it('changes nothing that is right, and knows its options by itself', async () => {
    const { mtimeMs } = await stat(project.path(FILE))
    expect(await write()).toEqual({ changed: false, queries: 9, problems: [] })
    expect((await stat(project.path(FILE))).mtimeMs).toBe(mtimeMs)
  })

  it.each(['typescript', 'typescript5'])('types imports exactly in strict TypeScript: %s', async (name) => {
    await project.write('src/other.ts', 'export {}\n')
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      types: [],
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
    }
    await project.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }))
    const compiler = path.join(path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin/tsc')
    const run = spawnSync(process.execPath, [compiler, '-p', project.root], { encoding: 'utf8' })
    expect({ status: run.status, output: run.stdout + run.stderr }).toEqual({ status: 0, output: '' })
  })

  it('only tells with check, and names what is wrong with file and line', async () => {
    const before = await project.readText(FILE)
    await project.write('src/c.ts', "\nimport c from './photo.png?widht=20'\nexport { c }\n")
    await project.write('src/d.ts', "import d from '#own/d.jpg?w=20&as=srcset'\nexport { d }\n")
    const { changed, queries, problems } = await write(undefined, true)
    expect({ changed, queries }).toEqual({ changed: true, queries: 10 })
    expect(problems).toEqual([naming('src/c.ts', '2', "'widht'", "'w'")])
    expect(await project.readText(FILE)).toBe(before)
    await project.remove('src/c.ts')
    await project.remove('src/d.ts')
  })
})

describe('the option types', () => {
  it('follows new imports in a dev server, and every build', async () => {
    const options: Options = { ...OPTIONS, types: 'src/kept.d.ts', cache: false, report: false }
    const session = openSession(options, project.root)
    await session.endBuild()
    const kept = await project.readText('src/kept.d.ts')
    expect(kept).toBe(await project.readText(FILE))
    await project.write('src/e.ts', "import e from './logo.png?w=10&as=srcset'\nexport { e }\n")
    await session.planRequest(project.path('src/logo.png'), readQuery('?w=10&as=srcset'))
    await expect.poll(() => project.readText('src/kept.d.ts')).toContain("declare module '*?w=10&as=srcset' {")
    await project.remove('src/e.ts')
    await session.endBuild()
    expect(await project.readText('src/kept.d.ts')).toBe(kept)
  })

  it('tries every type that the engine may choose', async () => {
    await project.write('src/f.ts', "import f from './logo.png?w=10;20&as=picture'\nexport { f }\n")
    await write({ convert: { type: ['image/webp', 'image/avif'] } })
    const text = await project.readText(FILE)
    expect(/'\*\?w=10;20&as=picture' \{\n.*\n/.exec(text)![0]).toMatch(/sources: \{ (?:\w+\??: string(?:; )?)+ \}/)
    await project.remove('src/f.ts')
  })
})
