import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createProject, decode, detect } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import turbopackLoader from '../../../../src/frameworks/next/turbopack/loader.ts'
import type { TurbopackLoaderContext } from '../../../../src/frameworks/next/turbopack/loader.ts'
import { SERVICE_VARIABLE } from '../../../../src/frameworks/next/turbopack/questions.ts'
import type { LoaderOptions } from '../../../../src/frameworks/next/turbopack/questions.ts'
import { startService } from '../../../../src/frameworks/next/turbopack/service.ts'
import { standInFolder, writeStandIns } from '../../../../src/frameworks/next/turbopack/stand-ins.ts'
import { openSession } from '../../../../src/session/registry.ts'
import type { Session } from '../../../../src/session/session.ts'

const LOGO = path.resolve(import.meta.dirname, '../../../../../../examples/images/logo.png')

let project: Project
let session: Session
let logo: Buffer
const before = process.env[SERVICE_VARIABLE]

beforeAll(async () => {
  project = await createProject('next-turbopack', { packages: [] })
  logo = await readFile(LOGO)
  await project.write('app/logo.png', logo)
  await project.write('app/broken.png', 'no image')
  session = openSession({ report: false, exclude: 'app/left/**' }, project.root)
  writeStandIns(standInFolder(project.root))
  start()
})
afterAll(async () => {
  if (before === undefined) delete process.env[SERVICE_VARIABLE]
  else process.env[SERVICE_VARIABLE] = before
  await session.endBuild()
  await project.dispose()
})

function start(namesByType = true): string {
  delete process.env[SERVICE_VARIABLE]
  startService({ session, root: project.root, standIns: standInFolder(project.root), namesByType })
  return process.env[SERVICE_VARIABLE]!
}

interface Ran {
  readonly content: Buffer
  readonly warnings: readonly string[]
  readonly watched: readonly string[]
}

/** Runs the loader as Turbopack does. */
async function run(
  file: string,
  query: string,
  options: Partial<LoaderOptions>,
  content: string | Uint8Array = logo,
): Promise<Ran> {
  const warnings: string[] = []
  const watched: string[] = []
  const resourcePath = path.isAbsolute(file) ? file : project.path(file)
  const made = await new Promise<string | Uint8Array>((resolve, reject) => {
    const context: TurbopackLoaderContext = {
      context: path.dirname(resourcePath),
      resourcePath,
      resourceQuery: query,
      getOptions: () => ({ step: 'image', build: 'b', keeps: false, ...options }),
      getResolve: () => async (folder, specifier) => {
        if (specifier.startsWith('missing')) throw new Error('not found')
        return path.resolve(folder, specifier.replace(/^@\//, `${project.path('app')}/`))
      },
      emitWarning: ({ message }) => void warnings.push(message),
      addDependency: (each) => void watched.push(path.relative(project.root, each)),
      async: () => (error, result) => (error == null ? resolve(result!) : reject(error as Error)),
    }
    turbopackLoader.call(context, Buffer.from(content))
  })
  return { content: Buffer.from(made), warnings, watched }
}

const standIn = (name: string): string => path.join(standInFolder(project.root), name)

describe('the loader, asked for an image', () => {
  it('gives smaller bytes of the same type and size, and the size of directives', async () => {
    const plain = await run('app/logo.png', '', {})
    expect(plain.content.length).toBeLessThan(logo.length)
    expect(detect(plain.content)).toBe('png')
    expect((await decode(plain.content)).width).toBe((await decode(logo)).width)
    expect((await decode((await run('app/logo.png', '?w=100', {})).content)).width).toBe(100)
  })

  it('gives the type that the name will have', async () => {
    const { content, warnings } = await run('app/logo.png', '?w=100&format=webp', { extension: 'webp' })
    expect([detect(content), warnings]).toEqual(['webp', []])
  })

  it('keeps the type of the name where that cannot follow, and says so', async () => {
    const { content, warnings } = await run('app/logo.png', '?w=90&format=webp', {})
    expect(detect(content)).toBe('png')
    expect(warnings).toEqual([expect.stringMatching(/^app\/logo\.png\?w=90&format=webp stays png: .*Next\.js 16\.2/)])
  })

  it('leaves untouched what is to stay: originals, foreign queries, and plain images of dev servers', async () => {
    expect((await run('app/logo.png', '?original', {})).content.equals(logo)).toBe(true)
    expect((await run('app/logo.png', '?component', {})).content.equals(logo)).toBe(true)
    expect((await run('app/left/logo.png', '', {})).content.equals(logo)).toBe(true)
    expect((await run('app/logo.png', '', { keeps: true })).content.equals(logo)).toBe(true)
    expect((await decode((await run('app/logo.png', '?w=80', { keeps: true })).content)).width).toBe(80)
  })

  it('gives a broken image as it is, with a warning', async () => {
    const { content, warnings } = await run('app/broken.png', '', {}, 'no image')
    expect(String(content)).toBe('no image')
    expect(warnings).toEqual([expect.stringContaining('app/broken.png')])
  })

  it('refuses several images where one URL stands, and names the reference', async () => {
    await expect(run('app/logo.png', '?w=50;100', {})).rejects.toThrow(/app\/logo\.png.*asks for 2/)
  })
})

describe('the loader, asked for a script', () => {
  it('leads imports with directives to a stand-in, and no others', async () => {
    const code = `import a from './logo.png?w=50'
import b from '@/logo.png?as=picture'
import c from './logo.png'
import d from './logo.png?component'
import e from 'missing/logo.png?w=2'
`
    const { content } = await run('app/page.js', '', { step: 'script' }, code)
    const request = '../node_modules/.cache/pixpress/next/request.pixpress'
    expect(String(content)).toBe(
      code
        .replace('./logo.png?w=50', `${request}?w=50&__pixpress_file=app%2Flogo.png`)
        .replace('@/logo.png?as=picture', `${request}?as=picture&__pixpress_file=app%2Flogo.png`),
    )
  })
})

const requested = (query: string): Promise<Ran> =>
  run(standIn('request.pixpress'), `${query}&__pixpress_file=app%2Flogo.png`, { step: 'request' }, 'nothing')

describe('the loader, asked for an import with directives', () => {
  it('gives a module whose images are files of their own, named by their types', async () => {
    const { content, watched } = await requested('?w=50;100&format=webp;png&as=srcset')
    expect(watched).toEqual([path.join('app', 'logo.png')])
    const urls = [...String(content).matchAll(/new URL\("([^"]+)", import\.meta\.url\)\.href/g)].map(([, url]) => url!)
    expect(urls).toHaveLength(4)
    for (const url of urls) {
      const [file, query] = [url.slice(0, url.indexOf('?')), url.slice(url.indexOf('?'))]
      expect(path.resolve(standInFolder(project.root), file)).toBe(project.path('app/logo.png'))
      const extension = /__pixpress_as=(\w+)/.exec(query)?.[1]
      const made = await run('app/logo.png', query, extension === undefined ? {} : { extension })
      expect(detect(made.content)).toBe(extension ?? 'png')
      expect([50, 100]).toContain((await decode(made.content)).width)
    }
  })

  it('leads to stand-ins of the types where names cannot follow', async () => {
    start(false)
    const { content } = await requested('?w=60&format=webp')
    start()
    const [, name, query] = /new URL\("\.\/(image\.webp)(\?[^"]+)"/.exec(String(content))!
    const made = await run(standIn(name!), query!, {}, 'nothing')
    expect([detect(made.content), (await decode(made.content)).width]).toEqual(['webp', 60])
  })

  it('names the image in what it throws', async () => {
    await expect(requested('?widht=50')).rejects.toThrow(/app\/logo\.png\?widht=50.*'w/)
  })
})

describe('startService', () => {
  it('leaves the questions to the process that the variable comes from, for the same options alone', () => {
    const address = start()
    startService({ session, root: project.root, standIns: '', namesByType: true })
    expect(process.env[SERVICE_VARIABLE]).toBe(address)
    const other = openSession({ report: false, quality: 70 }, project.root)
    startService({ session: other, root: project.root, standIns: '', namesByType: true })
    expect(process.env[SERVICE_VARIABLE]).not.toBe(address)
    start()
  })
})
