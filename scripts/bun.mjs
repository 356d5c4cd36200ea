import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import process from 'node:process'

// Runs the Bun of the npm package `bun` that the current folder depends on. Its own command needs an install script,
// which pnpm does not run; the binary itself lies in one of its optional dependencies, named by platform.
const require = createRequire(path.join(process.cwd(), 'package.json'))
const platform = process.platform === 'win32' ? 'windows' : process.platform
const architecture = process.arch === 'arm64' ? 'aarch64' : process.arch
const binary = process.platform === 'win32' ? 'bun.exe' : 'bun'

function findBun() {
  const bun = createRequire(require.resolve('bun/package.json'))
  for (const library of ['', '-musl']) {
    try {
      return bun.resolve(`@oven/bun-${platform}-${architecture}${library}/bin/${binary}`)
    } catch {
      // Not the build for this system: the next one, or the Bun on the PATH.
      continue
    }
  }
  return 'bun'
}

const { status, error } = spawnSync(findBun(), process.argv.slice(2), { stdio: 'inherit' })
if (error) console.error(`bun: ${error.message}`)
process.exit(status ?? 1)
