import { describe, expect, it } from 'vitest'
import { PUBLISHED_FOLDERS, readManifest, readText } from './manifests.ts'

const manifests = PUBLISHED_FOLDERS.map((folder) => readManifest(`packages/${folder}`))
const names = manifests.map(({ name }) => name)

describe('the published packages', () => {
  it('are one group, whose versions are raised together', () => {
    const { fixed } = JSON.parse(readText('.changeset/config.json')) as { fixed: string[][] }
    expect(fixed.map((group) => group.toSorted())).toEqual([names.toSorted()])
    expect(new Set(manifests.map(({ version }) => version)).size).toBe(1)
  })

  it.each(manifests)('$name depends on the others by exact versions', (manifest) => {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifest
    const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies })
    // pnpm writes the version in place of the star when it packs.
    expect(all.filter(([name, range]) => names.includes(name) && range !== 'workspace:*')).toEqual([])
  })

  it.each(PUBLISHED_FOLDERS)('packages/%s knows the version of its manifest', (folder) => {
    const { name, version } = readManifest(`packages/${folder}`)
    const places: Readonly<Record<string, string>> = {
      core: 'machine/same-release.ts',
      client: 'sender.ts',
      cli: 'base/same-release.ts',
      unplugin: 'base/same-release.ts',
    }
    const source = readText(`packages/${folder}/src/${places[folder] ?? 'same-release.ts'}`)
    const known = folder === 'client' ? `VERSION = '${version}'` : `{ name: '${name}', version: '${version}' }`
    expect(source).toContain(known)
  })
})
