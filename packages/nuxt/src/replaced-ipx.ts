import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { MadeElsewhere } from '@pixpress/core'
import type { ReplacedTool } from 'unplugin-pixpress/internal'

/** The name in the report of the tool behind the components' URLs. */
export const IPX = 'ipx'

/** The parts of ipx 2 and later that this package uses. It is no dependency of this package. */
interface IpxModule {
  createIPX(options: {
    storage: object
  }): (id: string, modifiers: Readonly<Record<string, string>>) => { process(): Promise<{ data: Uint8Array | string }> }
}

/**
 * Makes the result of the project's own ipx for the same URL, for comparison.
 * @param modifiers as they stand in the URL
 * @param root absolute path of the project
 */
export function ipxItself(bytes: Uint8Array, modifiers: Readonly<Record<string, string>>, root: string): ReplacedTool {
  return {
    tool: IPX,
    async request() {
      const entry = ipxOf(root)
      const manifest = JSON.parse(await readFile(path.join(entry, '../../package.json'), 'utf8')) as { version: string }
      const { versions } = createRequire(entry)('sharp') as { versions: object }
      return JSON.stringify([manifest.version, versions, modifiers])
    },
    async make(): Promise<MadeElsewhere> {
      const { createIPX } = (await import(pathToFileURL(ipxOf(root)).href)) as IpxModule
      const ipx = createIPX({ storage: { name: 'bytes', getMeta: async () => ({}), getData: async () => bytes } })
      const make = async (asked: Readonly<Record<string, string>>): Promise<Uint8Array> =>
        Buffer.from((await ipx('image', asked).process()).data)
      const { f: _, format: __, q: ___, quality: ____, ...others } = modifiers
      return { data: await make(modifiers), lossless: await make({ ...others, format: 'png' }) }
    },
  }
}

/** Finds the file that ipx is imported from: the project's own, or the one that its @nuxt/image brings. */
function ipxOf(root: string): string {
  const ofProject = createRequire(path.join(root, 'package.json'))
  try {
    return ofProject.resolve('ipx')
  } catch {
    return createRequire(ofProject.resolve('@nuxt/image')).resolve('ipx')
  }
}
