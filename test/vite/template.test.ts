import { createProject } from '@pixpress/testkit'
import { expect } from 'vitest'
import { describeTemplate, templateFiles } from '../browser/template.ts'
import { buildProject } from './build.ts'

const configOf = (outDir: string): string => `{ build: { outDir: '${outDir}', assetsInlineLimit: 0 } }`

describeTemplate('Vite', async () => {
  const project = await createProject('vite-template', {
    packages: ['unplugin-pixpress', 'vite'],
    files: await templateFiles('<script type="module" src="./src/main.js"></script>'),
  })
  for (const [folder, options] of [
    ['plain', '{ include: /^$/, publicDir: false }'],
    ['auto', `{ convert: 'auto' }`],
  ] as const) {
    const { warnings, error } = await buildProject(project, { options, config: configOf(folder) })
    expect([error, warnings]).toEqual([undefined, []])
  }
  return project
})
