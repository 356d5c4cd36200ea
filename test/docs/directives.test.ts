import path from 'node:path'
import { createProject } from '@pixpress/testkit'
import { expect, it } from 'vitest'
import { ROOT, readPage } from './markdown.ts'

it('every example of docs/directives.md compiles in TypeScript', async () => {
  const page = await readPage('docs/directives.md')
  const examples = [...page.matchAll(/^```(?:js|ts)\n([^]*?)^```$/gm)].map(([, code]) => code!)
  expect(examples.length).toBeGreaterThan(2)
  const files = Object.fromEntries(examples.map((code, index) => [`${index}.ts`, `${code}\nexport {}\n`]))
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom'],
    types: ['unplugin-pixpress/client'],
  }
  const project = await createProject('directives', {
    files: { ...files, 'tsconfig.json': JSON.stringify({ compilerOptions, files: Object.keys(files) }) },
  })
  try {
    const { stdout, code } = await project.exec(path.join(ROOT, 'node_modules/.bin/tsc'), { args: ['-p', '.'] })
    expect(stdout).toBe('')
    expect(code).toBe(0)
  } finally {
    await project.dispose()
  }
})
