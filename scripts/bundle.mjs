import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './bootstrap.mjs'

// Loading a hundred small modules takes Node longer than all that a warm build does to an image or two hundred, so the
// entries that every build loads are one file each. What they load later (`import()`, threads) stays as the compiler wrote it
// or becomes a chunk of its own; dependencies stay imports.
const ENTRIES = { core: { index: 'index', report: 'report/index' }, unplugin: { vite: 'vite' } }

for (const [folder, entries] of Object.entries(ENTRIES)) {
  const cwd = path.join(root, 'packages', folder)
  const dir = path.join(cwd, 'dist', 'bundle')
  rmSync(dir, { recursive: true, force: true })
  const bundle = await rolldown({
    cwd,
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, `dist/${file}.js`])),
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
    platform: 'node',
    logLevel: 'warn',
  })
  await bundle.write({ dir, format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
}

// The server's page: one script, with what it needs inside.
const page = path.join(root, 'packages', 'server', 'page')
const pageOutput = path.join(root, 'packages', 'server', 'dist', 'page')
rmSync(pageOutput, { recursive: true, force: true })
const script = await rolldown({
  cwd: page,
  input: { page: 'main.ts' },
  platform: 'browser',
  tsconfig: false,
  logLevel: 'warn',
})
await script.write({ dir: pageOutput, format: 'es', entryFileNames: '[name].js', minify: true })
await script.close()
for (const name of ['index.html', 'page.css']) cpSync(path.join(page, name), path.join(pageOutput, name))
