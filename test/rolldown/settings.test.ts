import { createProject, photo } from '@pixpress/testkit'
import { rolldown } from 'rolldown'
import pixpress from 'unplugin-pixpress/rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Project } from '@pixpress/testkit'

let project: Project

beforeAll(async () => {
  project = await createProject('rolldown-settings', {
    files: {
      'src/main.js': `import photo from './photo.png'; console.log(photo)`,
      'src/photo.png': await photo(120, 90).png(),
    },
  })
})

afterAll(() => project.dispose())

const settled = async (checks: object | undefined): Promise<unknown> => {
  let seen: unknown
  const spy = { name: 'spy', options: (input: { checks?: object }) => void (seen = input.checks) }
  const plugins = [pixpress({ root: project.root, report: false }), spy]
  const build = await rolldown({ cwd: project.root, input: 'src/main.js', plugins, ...(checks && { checks }) })
  await build.generate()
  await build.close()
  return seen
}

describe('rolldown', () => {
  it('works from the folder that `cwd` names', async () => {
    const build = await rolldown({
      cwd: project.root,
      input: 'src/main.js',
      plugins: [pixpress({ include: 'src/*.png', report: { json: 'report.json' } })],
    })
    const { output } = await build.generate()
    await build.close()
    expect(output.map((file) => file.type)).toEqual(['chunk', 'asset'])
    expect(JSON.parse(await project.readText('report.json'))).toMatchObject({ images: [{ source: 'src/photo.png' }] })
    expect((await project.list('.cache/pixpress')).length).toBeGreaterThan(0)
  })

  it('switches the warning of slow plugins off, but not for users who have set it', async () => {
    expect(await settled(undefined)).toEqual({ pluginTimings: false })
    expect(await settled({ circularDependency: true })).toEqual({ circularDependency: true, pluginTimings: false })
    expect(await settled({ pluginTimings: true })).toEqual({ pluginTimings: true })
  })
})
