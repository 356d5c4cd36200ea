import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pnpm, prepare, root, step } from './bootstrap.mjs'

const example = path.join(root, 'examples', 'vite')

// pnpm would remove what only tests need.
if (existsSync(path.join(root, 'node_modules/vitest'))) prepare()
else prepareExample()
runNode('example: a travel journal in Vite', ['node_modules/vite/bin/vite.js', 'build'], example)

const { totals } = JSON.parse(readFileSync(path.join(example, 'dist', 'report.json'), 'utf8'))
const size = (bytes) => (bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(2)} MB`)
const shown = path.relative(process.cwd(), example) || '.'

console.log(`
${totals.images} images: ${size(totals.before)} before, ${size(totals.after)} after (${Math.round((totals.after / totals.before - 1) * 100)} %)

  page     ${path.join(shown, 'dist', 'index.html')}
  images   ${path.join(shown, 'dist', 'assets')}
  report   ${path.join(shown, 'dist', 'report.json')}, and as a page:
           ${path.join(shown, 'dist', 'report.html')}
  config   ${path.join(shown, 'vite.config.js')}

Look at it:

  cd ${shown}
  npm run preview      the built page
  npm run dev          the same, made as the browser asks for it
`)

/** Installs and builds what the example needs. Types are not checked: those of other bundlers are not installed. */
function prepareExample() {
  const packages = ['--filter', 'pixpress-workspace', '--filter-prod', '@pixpress/example-vite...']
  pnpm('install', 'install', '--prod', ...packages, '--frozen-lockfile', '--reporter=append-only', '--loglevel=error')
  runNode('compile', ['node_modules/typescript/bin/tsc', '--build', '--noCheck', 'packages/unplugin'], root)
  runNode('bundle', ['scripts/bundle.mjs', 'core', 'unplugin'], root)
}

function runNode(title, args, cwd) {
  step(title, process.execPath, args, { cwd, shell: false })
}
