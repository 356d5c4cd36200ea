import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createProject } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT, readPage } from './markdown.ts'

const fromPlugin = createRequire(path.join(ROOT, 'packages/unplugin/package.json'))
const compilerOf = (name: string): string =>
  path.join(path.dirname(fromPlugin.resolve(`${name}/package.json`)), 'bin/tsc')

const COMPILERS = ['typescript', 'typescript5'] as const

/** Every example of the documentation that imports images with queries, by page and number. */
async function readExamples(): Promise<Record<string, string>> {
  const pages = [
    'README.md',
    ...(await readdir(path.join(ROOT, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
  ]
  const examples: Record<string, string> = {}
  for (const page of pages) {
    const blocks = [...(await readPage(page)).matchAll(/(<!-- not run: [^\n]*-->\n\n)?^```(?:js|ts)\n([^]*?)^```$/gm)]
    for (const [index, [, notRun, code]] of blocks.entries()) {
      const isImport = /^import .* from '\.\/[^']+\?|unplugin-pixpress\/client/m.test(code!)
      if (notRun === undefined && isImport)
        examples[`src/${path.basename(page, '.md')}-${index}.ts`] = `${code}\nexport {}\n`
    }
  }
  return examples
}

const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'es2023',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'dom'],
  types: [],
}

describe('the examples of the documentation', () => {
  let project: Project
  beforeAll(async () => {
    const examples = await readExamples()
    expect(Object.keys(examples).length).toBeGreaterThan(4)
    // The image is as wide as the widest that an example asks for: a smaller one gives fewer sizes.
    const image = await sharp({ create: { width: 1280, height: 960, channels: 3, background: '#808080' } })
      .jpeg()
      .toBuffer()
    const names = Object.values(examples).flatMap((code) =>
      [...code.matchAll(/'\.\/([^'?]+)\?/g)].map(([, name]) => `src/${name}`),
    )
    project = await createProject('examples', {
      files: { ...examples, ...Object.fromEntries(names.map((name) => [name, image])) },
    })
  })
  afterAll(() => project.dispose())

  async function compile(
    compiler: string,
    include: readonly string[],
  ): Promise<{ code: number | null; stdout: string }> {
    await project.write('tsconfig.json', JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include }))
    const { code, stdout } = await project.exec(process.execPath, { args: [compilerOf(compiler), '-p', '.'] })
    return { code, stdout }
  }

  it.each(COMPILERS)('compile in strict %s with the types that are shipped', async (compiler) => {
    const client = path.join(ROOT, 'packages/unplugin/client.d.ts')
    expect(await compile(compiler, ['src', client])).toEqual({ code: 0, stdout: '' })
  })

  it.each(COMPILERS)('compile in strict %s with the types that are generated', async (compiler) => {
    const presets = "{ hero: { w: [32, 48], format: ['avif', 'webp', 'jpg'], as: 'picture' } }"
    const { stdout, stderr } = await project.run(`
      import { writeTypes } from 'unplugin-pixpress/types'
      const options = { presets: ${presets} }
      console.log(JSON.stringify(await writeTypes({ root: process.cwd(), file: 'src/pixpress.d.ts', options })))`)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({ problems: [] })
    // The shipped types would come first where an example loads them beside these.
    const files = (await project.list('src')).filter((file) => file.endsWith('.ts') && file !== 'pixpress.d.ts')
    for (const file of files) {
      const code = await project.readText(`src/${file}`)
      await project.write(`src/${file}`, code.replace(/^\/\/\/ <reference types="unplugin-pixpress\/client" \/>$/m, ''))
    }
    expect(await compile(compiler, ['src'])).toEqual({ code: 0, stdout: '' })
    await project.remove('src/pixpress.d.ts')
  })
})
