import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { root, step } from './bootstrap.mjs'

// Runs the suite on another version of Node: `npm run test:node -- 22 [vitest's arguments]`. The binary comes from the
// npm registry (packages `node-<platform>-<arch>` hold nothing else); the packages must have been built before.
const [version, ...args] = process.argv.slice(2)
if (!/^\d+(?:\.\d+)*$/.test(version ?? '')) {
  console.error("Expected a version of Node, as in 'npm run test:node -- 22'.")
  process.exit(2)
}

const folder = mkdtempSync(path.join(tmpdir(), 'pixpress-node-'))
try {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const install = [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--no-package-lock',
    '--ignore-scripts',
    '--silent',
    `${name}@${version}`,
  ]
  step(`Node ${version} from the registry`, 'npm', install)
  const bin = path.join(folder, 'node_modules', name, 'bin')
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` }
  const node = path.join(bin, process.platform === 'win32' ? 'node.exe' : 'node')
  console.log(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim())
  const { status } = spawnSync(node, [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
