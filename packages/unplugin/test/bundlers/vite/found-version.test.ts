import { symlink } from 'node:fs/promises'
import { createProject } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { commandVersion, installedVersion } from '../../../src/bundlers/vite/found-version.ts'

describe('the version of Vite', () => {
  it('is that of the command, also behind a link, and of the package of a project', async () => {
    const manifest = JSON.stringify({ name: 'vite', version: '5.2.14' })
    const project = await createProject('vite-version', {
      files: {
        'package.json': '{}',
        'node_modules/vite/package.json': manifest,
        'node_modules/vite/bin/vite.js': '',
        'node_modules/nuxt/package.json': JSON.stringify({ name: 'nuxt', version: '3.0.0' }),
        'node_modules/nuxt/bin/nuxt.js': '',
      },
    })
    try {
      await symlink('vite/bin/vite.js', project.path('node_modules/linked'))
      expect(commandVersion(project.path('node_modules/vite/bin/vite.js'))).toBe('5.2.14')
      expect(commandVersion(project.path('node_modules/linked'))).toBe('5.2.14')
      expect(commandVersion(project.path('node_modules/nuxt/bin/nuxt.js'))).toBeUndefined()
      expect(commandVersion(project.path('nowhere.js'))).toBeUndefined()
      expect(installedVersion(project.path(''))).toBe('5.2.14')
    } finally {
      await project.dispose()
    }
  })
})
