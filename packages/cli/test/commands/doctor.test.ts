import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { photo, naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { CHECKS } from '../../src/doctor/checks.ts'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

interface Found {
  readonly ok: boolean
  readonly checks: readonly { name: string; state: string; says: string; mend?: string }[]
}

async function found(): Promise<Found> {
  const { stdout } = await folder.run(['doctor', '--json'])
  return JSON.parse(stdout) as Found
}
const check = async (name: string): Promise<Found['checks'][number]> =>
  (await found()).checks.find((each) => each.name === name)!

describe('doctor', () => {
  it('finds nothing wrong here, and leaves no file behind', async () => {
    const { code, stdout, stderr } = await folder.run(['doctor'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const name of Object.keys(CHECKS)) expect(stdout).toMatch(new RegExp(`^ok {8}${name}`, 'm'))
    expect(stdout).toContain(' AVIF, JPEG XL, WebP, JPEG, PNG\n')
    expect(stdout).toContain('be made here')
    expect(await folder.files()).toEqual([])
  })

  it('names a file in the place of the cache, and the command that removes it', async () => {
    await folder.write({ '.cache/pixpress': 'a file' })
    const at = path.join(folder.path, '.cache/pixpress')
    expect(await check('cache')).toEqual({
      name: 'cache',
      state: 'problem',
      says: naming(at),
      mend: `Run: rm -r '${at}'`,
    })
    expect((await folder.run(['doctor'])).code).toBe(1)
  })

  it('counts damaged entries of the cache', async () => {
    await folder.write({ 'a.jpg': await photo(40, 30).jpeg(97) })
    await folder.run(['compress', 'a.jpg', '--quiet'])
    const { stdout } = await folder.run(['cache', 'stats', '--json'])
    const { entries } = JSON.parse(stdout) as { entries: number }
    const key = 'ab'.repeat(32)
    await folder.write({ [`.cache/pixpress/v1/ab/${key}`]: 'no entry' })
    expect(await check('cache')).toMatchObject({
      state: 'warning',
      says: naming(`1 of ${entries + 1}`),
      mend: expect.stringContaining('pixpress cache clear'),
    })
  })

  it('knows the bundler and its version, and says where it is too old or the plugin is missing', async () => {
    const vite = (version: string): Promise<void> =>
      folder.write({ 'node_modules/vite/package.json': JSON.stringify({ name: 'vite', version }) })
    await writeFile(path.join(folder.path, 'package.json'), '{"devDependencies":{"vite":"*"}}')
    expect(await check('bundler')).toMatchObject({ state: 'problem', mend: 'Run: npm install' })
    await vite('4.5.1')
    expect(await check('bundler')).toMatchObject({ state: 'problem', says: 'Vite 4.5.1 is older than 5.4' })
    await vite('7.1.0')
    expect(await check('bundler')).toMatchObject({
      state: 'warning',
      mend: expect.stringContaining('npx pixpress init'),
    })
    await folder.write({ 'vite.config.js': "import pixpress from 'unplugin-pixpress/vite'" })
    expect(await check('bundler')).toMatchObject({ state: 'ok', says: naming('Vite 7.1.0', 'vite.config.js') })
  })

  it('knows create-react-app, with craco and without', async () => {
    const craco = { name: '@craco/craco', version: '7.1.0' }
    await folder.write({ 'package.json': '{ "dependencies": { "react-scripts": "5.0.1" } }' })
    expect(await check('bundler')).toMatchObject({
      state: 'warning',
      says: expect.stringContaining('takes no plugins'),
      mend: naming('npm install --save-dev @craco/craco', 'npx pixpress init'),
    })
    await folder.write({
      'package.json': '{ "dependencies": { "react-scripts": "5.0.1", "@craco/craco": "7.1.0" } }',
      'node_modules/@craco/craco/package.json': JSON.stringify(craco),
      'craco.config.js': "const pixpress = require('unplugin-pixpress/webpack')\n",
    })
    expect(await check('bundler')).toMatchObject({
      state: 'ok',
      says: naming('craco 7.1.0', 'craco.config.js'),
    })
  })

  it('says what is wrong with the configuration or the lock', async () => {
    await folder.write({ 'pixpress.config.ts': "export default { qualty: 'high' }" })
    expect(await check('configuration')).toMatchObject({ state: 'problem', says: expect.stringContaining("'qualty'") })
    await folder.write({ 'pixpress.config.ts': "export default { quality: 'high' }", 'pixpress.lock': 'no lock' })
    expect((await check('configuration')).says).toMatch(/^pixpress\.lock /)
    expect((await found()).ok).toBe(false)
  })
})
