import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPluginProjects } from '../../src/check/plugin-projects.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

const folderOf = (file: string): string | undefined => {
  const project = createPluginProjects()(path.join(folder.path, file))
  return project && path.relative(folder.path, project.folder)
}
const manifest = (dependencies: object): string => JSON.stringify(dependencies)

describe('createPluginProjects', () => {
  it.each(['unplugin-pixpress', '@pixpress/astro', '@pixpress/nuxt'])('finds a project by %s', async (name) => {
    await folder.write({ 'package.json': manifest({ dependencies: { [name]: '1' } }) })
    expect(folderOf('src/deep/a.png')).toBe('')
  })

  it('takes neither the command nor nothing for the plugin', async () => {
    await folder.write({ 'package.json': manifest({ devDependencies: { pixpress: '1' } }) })
    expect(folderOf('a.png')).toBeUndefined()
    await folder.write({ 'package.json': 'no JSON' })
    expect(folderOf('a.png')).toBeUndefined()
  })

  it('tells packages of a workspace apart, and knows what stands at its root', async () => {
    await folder.write({
      'packages/site/package.json': manifest({ devDependencies: { 'unplugin-pixpress': '1' } }),
      'packages/docs/package.json': manifest({}),
    })
    expect(folderOf('packages/site/src/a.png')).toBe(path.join('packages', 'site'))
    expect(folderOf('packages/docs/a.png')).toBeUndefined()
    expect(folderOf('a.png')).toBeUndefined()
    await folder.write({ 'package.json': manifest({ devDependencies: { 'unplugin-pixpress': '1' } }) })
    expect(folderOf('packages/docs/a.png')).toBe(path.join('packages', 'docs'))
    expect(folderOf('a.png')).toBe('')
  })

  it('looks no further than the top of a repository', async () => {
    await folder.write({
      'package.json': manifest({ devDependencies: { 'unplugin-pixpress': '1' } }),
      'inner/package.json': manifest({}),
    })
    await mkdir(path.join(folder.path, 'inner/.git'))
    expect(folderOf('inner/a.png')).toBeUndefined()
  })
})
