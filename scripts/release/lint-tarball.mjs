import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { root } from '../bootstrap.mjs'

const bin = (name) => path.join(root, 'node_modules', '.bin', name)

/** Lets publint and attw look at what would be published: the packed tarball, with its manifest as pnpm rewrites it. */
export function lintTarball(tarball) {
  execFileSync(bin('publint'), ['run', tarball, '--strict'], { stdio: 'inherit' })
  // `client.d.ts` holds ambient declarations only: there is no module to resolve.
  const options = ['--profile', 'esm-only', '--exclude-entrypoints', 'client']
  execFileSync(bin('attw'), [tarball, ...options, '--format', 'ascii', '--no-emoji', '--quiet'], { stdio: 'inherit' })
}
