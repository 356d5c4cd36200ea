import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pnpm, prepare, root } from './bootstrap.mjs'

const example = path.join(root, 'examples', 'vite')

prepare()
pnpm('example: a travel journal in Vite', '--filter', '@pixpress/example-vite', '--silent', 'build')

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
