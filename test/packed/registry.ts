import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Published {
  readonly name: string
  readonly version: string
  readonly manifest: object
  readonly data: Buffer
}

/** A registry of npm on this machine, for packages that no other registry has. */
export interface Registry {
  readonly url: string
  /** Offers a tarball, as `npm publish` does. */
  publish(tarball: string): void
  close(): Promise<void>
}

/** Starts a registry that has nothing yet. */
export async function startRegistry(): Promise<Registry> {
  const published: Published[] = []
  const server = createServer(({ url = '' }, response) => {
    // npm would keep an answer for five minutes, past the next version that is published.
    response.setHeader('cache-control', 'no-store')
    const wanted = decodeURIComponent(url.slice(1))
    const file = published.find((each) => wanted === fileOf(each))
    const versions = published.filter(({ name }) => name === wanted)
    if (file !== undefined) response.end(file.data)
    else if (versions.length > 0) response.end(JSON.stringify(describePackage(versions, address())))
    else response.writeHead(404).end('{}')
  })
  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: address(),
    publish: (tarball) => void published.push(readTarball(tarball)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const fileOf = ({ name, version }: Published): string => `files/${name.replace('/', '-')}-${version}.tgz`

function readTarball(tarball: string): Published {
  const text = execFileSync('tar', ['-xOzf', tarball, 'package/package.json'], { encoding: 'utf8' })
  const manifest = JSON.parse(text) as { name: string; version: string }
  return { ...manifest, manifest, data: readFileSync(tarball) }
}

/**
 * Makes the registry's answer for a package:
 * https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md
 */
function describePackage(versions: readonly Published[], address: string): object {
  const described = versions.map((each) => {
    const integrity = `sha512-${createHash('sha512').update(each.data).digest('base64')}`
    return [each.version, { ...each.manifest, dist: { tarball: `${address}${fileOf(each)}`, integrity } }]
  })
  const { name, version: latest } = versions.at(-1)!
  return { name, 'dist-tags': { latest }, versions: Object.fromEntries(described) }
}
