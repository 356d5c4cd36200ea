/**
 * Runs what a bundler has built and prints `globalThis.site` as JSON, promises awaited: the values that a page would
 * see. Arguments: the output folder, and the page or the entry in it. The site stands at http://site.test/; there is as
 * much of a document as loading scripts needs.
 */
import { readFileSync } from 'node:fs'
import { register } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { runInThisContext } from 'node:vm'

const [outDir, start] = process.argv.slice(2)
const ORIGIN = 'http://site.test/'

// Modules import each other from the root of the site.
const siteRoot = pathToFileURL(outDir).href
const hooks = `export const resolve = (specifier, context, next) => next(specifier.startsWith('/') ? ${JSON.stringify(siteRoot)} + specifier : specifier, context)`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)

const fileOf = (url) => path.join(outDir, decodeURIComponent(new URL(url, ORIGIN).pathname))

async function runScript(url, module) {
  const file = fileOf(url)
  if (module) return import(pathToFileURL(file).href)
  return runInThisContext(readFileSync(file, 'utf8'), { filename: file })
}

class StubElement {
  constructor(tagName) {
    this.tagName = tagName.toUpperCase()
    this.dataset = {}
    this.style = {}
  }
  setAttribute(name, value) {
    this[name] = value
  }
  getAttribute(name) {
    return this[name] ?? null
  }
  addEventListener(type, listener) {
    this[`on${type}`] = listener
  }
  removeEventListener() {}
  remove() {}
  appendChild(child) {
    const loading =
      child.tagName === 'SCRIPT' && child.src ? runScript(child.src, child.type === 'module') : Promise.resolve()
    loading.then(
      () => child.onload?.({ type: 'load', target: child }),
      (error) => child.onerror?.(error),
    )
    return child
  }
}

const root = new StubElement('html')
globalThis.window = globalThis.self = globalThis
globalThis.location = new URL(ORIGIN)
globalThis.document = {
  baseURI: ORIGIN,
  currentScript: Object.assign(new StubElement('script'), { src: `${ORIGIN}${start}` }),
  documentElement: root,
  head: new StubElement('head'),
  body: new StubElement('body'),
  createElement: (name) => new StubElement(name),
  querySelector: () => null,
  querySelectorAll: () => [],
  getElementsByTagName: () => [],
  addEventListener: () => undefined,
}

if (start.endsWith('.html')) {
  const html = readFileSync(path.join(outDir, start), 'utf8').replaceAll(/<!--[^]*?-->/g, '')
  for (const [, attributes, text] of html.matchAll(/<script([^>]*)>([^]*?)<\/script>/gi)) {
    const src = /\ssrc=(?:"([^"]*)"|'([^']*)'|([^\s>]+))/.exec(attributes)
    const url = src && (src[1] ?? src[2] ?? src[3])
    if (url) await runScript(url, /type="?module/.test(attributes))
    else runInThisContext(text)
  }
} else {
  await import(pathToFileURL(path.join(outDir, start)).href)
}

// Loaders of classic scripts go on after the last script of the page has run.
for (let waited = 0; globalThis.site === undefined && waited < 2000; waited += 10) {
  await new Promise((resolve) => setTimeout(resolve, 10))
}

const site = {}
for (const [kind, values] of Object.entries(globalThis.site)) {
  site[kind] = {}
  for (const [name, value] of Object.entries(values)) site[kind][name] = fromRoot(await value)
}
process.stdout.write(JSON.stringify(site))
process.exit()

/** URLs as paths from the root of the site, whether code made them absolute or relative to itself. */
function fromRoot(value) {
  if (typeof value === 'string') {
    return value.replaceAll(`${siteRoot}/`, '/').replaceAll(ORIGIN, '/')
  }
  if (Array.isArray(value)) return value.map(fromRoot)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fromRoot(member)]))
  }
  return value
}
