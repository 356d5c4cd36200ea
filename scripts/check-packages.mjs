import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { root } from './bootstrap.mjs'

// publint and attw look at what would be published: the packed tarball, with its manifest as pnpm rewrites it.
const folder = mkdtempSync(path.join(tmpdir(), 'pixpress-pack-'))
const bin = (name) => path.join(root, 'node_modules', '.bin', name)
try {
  for (const name of readdirSync(path.join(root, 'packages'))) {
    const cwd = path.join(root, 'packages', name)
    if (JSON.parse(readFileSync(path.join(cwd, 'package.json'), 'utf8')).private) continue
    const before = new Set(readdirSync(folder))
    execFileSync('pnpm', ['pack', '--pack-destination', folder], { cwd, stdio: 'pipe' })
    const tarball = path.join(
      folder,
      readdirSync(folder).find((file) => !before.has(file)),
    )
    execFileSync(bin('publint'), ['run', tarball, '--strict'], { stdio: 'inherit' })
    // `client.d.ts` holds ambient declarations only: there is no module to resolve.
    execFileSync(
      bin('attw'),
      [
        tarball,
        '--profile',
        'esm-only',
        '--exclude-entrypoints',
        'client',
        '--format',
        'ascii',
        '--no-emoji',
        '--quiet',
      ],
      { stdio: 'inherit' },
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
