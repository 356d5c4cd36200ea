import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { installedFolders } from '../../../src/engines/local/installed-folders.ts'

const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'pixpress-installed-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Writes a package's manifest. */
function install(folder: string, manifest: object): void {
  mkdirSync(path.join(root, folder), { recursive: true })
  writeFileSync(path.join(root, folder, 'package.json'), JSON.stringify(manifest))
}

describe('installedFolders', () => {
  it('gives one folder for what npm puts into one, and follows links to a store elsewhere', () => {
    install('app/node_modules/engine', {
      dependencies: { codec: '1', linked: '1' },
      optionalDependencies: { other: '1' },
    })
    install('app/node_modules/codec', { dependencies: { deep: '1' } })
    install('app/node_modules/codec/node_modules/deep', {})
    install('store/linked@1/node_modules/linked', { dependencies: { neighbour: '1' } })
    install('store/linked@1/node_modules/neighbour', {})
    symlinkSync(path.join(root, 'store/linked@1/node_modules/linked'), path.join(root, 'app/node_modules/linked'))
    expect(installedFolders(path.join(root, 'app/node_modules/engine'))).toEqual([
      path.join(root, 'app/node_modules'),
      path.join(root, 'store/linked@1/node_modules'),
    ])
  })

  it('gives the folder of a package that lies in no `node_modules`, as in this workspace', () => {
    install('packages/engine', { dependencies: { codec: '1' } })
    install('packages/engine/node_modules/codec', {})
    expect(installedFolders(path.join(root, 'packages/engine'))).toEqual([path.join(root, 'packages/engine')])
  })
})
