import { writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Writes the sources of a site that refers to every image once: half from JavaScript, a quarter each from CSS and HTML.
 * The images lie in `images/`.
 * @param {'vite' | 'webpack'} bundler Vite's page loads the script itself; html-webpack-plugin adds it.
 */
export async function writeSite(folder, names, bundler) {
  const inScript = names.filter((_, index) => index % 4 < 2)
  const inStylesheet = names.filter((_, index) => index % 4 === 2)
  const inPage = names.filter((_, index) => index % 4 === 3)
  await writeFile(path.join(folder, 'style.css'), stylesheet(inStylesheet))
  await writeFile(path.join(folder, 'main.js'), `import './style.css'\n${script(inScript)}`)
  await writeFile(path.join(folder, 'index.html'), page(inPage, bundler))
  await writeManifest(folder)
}

/** The same with every image imported by the script. */
export async function writeImports(folder, names, bundler) {
  await writeFile(path.join(folder, 'main.js'), script(names))
  await writeFile(path.join(folder, 'index.html'), page([], bundler))
  await writeManifest(folder)
}

/** The same with a query on every import: what it gives is not looked at. */
export async function writeQueries(folder, names, query) {
  const imports = names.map((name, index) => `import image${index} from './images/${name}?${query}'\n`)
  const list = names.map((_, index) => `image${index}`).join(', ')
  await writeFile(path.join(folder, 'main.js'), `${imports.join('')}\nconsole.log(${list})\n`)
  await writeFile(path.join(folder, 'index.html'), page([], 'vite'))
  await writeManifest(folder)
}

/**
 * A project of Vite that uses each image in one way: those that its script imports, that its stylesheet has, that its
 * page shows, and that its script names with `new URL()`.
 */
export async function writeUses(folder, { imported, styled, shown, located }) {
  const style = styled.length === 0 ? '' : "import './style.css'\n"
  const urls = located.map((name) => `  new URL('./images/${name}', import.meta.url).href,\n`)
  const list = `console.log([\n${urls.join('')}])\n`
  if (styled.length > 0) await writeFile(path.join(folder, 'style.css'), stylesheet(styled))
  await writeFile(path.join(folder, 'main.js'), style + script(imported) + (located.length === 0 ? '' : list))
  await writeFile(path.join(folder, 'index.html'), page(shown, 'vite'))
  await writeManifest(folder)
}

function script(names) {
  const imports = names.map((name, index) => `import image${index} from './images/${name}'\n`)
  const list = names.map((_, index) => `image${index}`).join(', ')
  return `${imports.join('')}
for (const src of [${list}]) {
  const image = new Image()
  image.src = src
  document.body.append(image)
}
`
}

const stylesheet = (names) =>
  names.map((name, index) => `.tile-${index} { background: url('./images/${name}') center / cover; }\n`).join('')

function page(names, bundler) {
  const images = names.map((name) => `    <img src="./images/${name}" alt="" />\n`)
  const load = bundler === 'vite' ? '    <script type="module" src="./main.js"></script>\n' : ''
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Benchmark</title>
  </head>
  <body>
${images.join('')}${load}  </body>
</html>
`
}

/** The folder is a package of its own: that is where the tools put their caches. */
const writeManifest = (folder) =>
  writeFile(path.join(folder, 'package.json'), '{ "name": "benchmark", "private": true, "type": "module" }\n')
