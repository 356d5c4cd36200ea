import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lintTarball } from './release/lint-tarball.mjs'
import { packAll } from './release/pack.mjs'

// `pnpm check:packages`: what would be published is sound for each way to resolve its modules and types.
const folder = mkdtempSync(path.join(tmpdir(), 'pixpress-pack-'))
try {
  for (const { tarball } of packAll(folder)) lintTarball(tarball)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
