import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTextures } from '../../src/textures/textures.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

type Files = Readonly<Record<string, string>>

/** Tells which files give `src/logo.png` or `src/photo.jpg` away. */
async function givenBy(files: Files): Promise<(string | undefined)[]> {
  for (const [name, text] of Object.entries({
    'src/logo.png': '',
    'src/photo.jpg': '',
    'public/x.png': '',
    ...files,
  })) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true })
    await writeFile(path.join(root, name), text)
  }
  const textures = createTextures(root)
  return ['src/logo.png', 'src/photo.jpg'].map((image) => textures.givenBy(path.join(root, image)))
}

const LOGO = `import logo from './logo.png'\n`
const PHOTO = `import photo from '@/photo.jpg'\n`

describe('an image that a script gives to a reader that is not a browser', () => {
  it.each<[string, Files]>([
    ['jsPDF', { 'src/a.js': `import { jsPDF } from 'jspdf'\n${LOGO}new jsPDF().addImage(logo, 'PNG', 0, 0, 9, 9)` }],
    ['jsPDF that is loaded late', { 'src/a.js': `${LOGO}const { jsPDF } = await import('jspdf')\ndoc.addImage(logo)` }],
    ['pdf-lib', { 'src/a.ts': `import { PDFDocument } from "pdf-lib"\n${LOGO}await pdf.embedPng(await bytesOf(logo))` }],
    ['@react-pdf/renderer', { 'src/a.jsx': `import { Image } from '@react-pdf/renderer'\n${LOGO}<Image src={logo} />` }],
    ['pdfkit', { 'src/a.js': `const PDFDocument = require('pdfkit')\ndoc.image(require('./logo.png'))` }],
    ['satori', { 'src/a.jsx': `import satori from 'satori'\n${LOGO}satori(<img src={logo} />, {})` }],
    ['next/og', { 'src/a.jsx': `import { ImageResponse } from 'next/og'\nfetch(new URL('./logo.png', import.meta.url))` }],
    ['sharp', { 'src/a.ts': `import sharp from 'sharp'\n${LOGO}sharp(logo)` }],
    ['a spreadsheet', { 'src/a.vue': `<script setup>import Excel from 'exceljs'\n${LOGO}book.addImage({ base64: logo })</script>` }],
    ['a Word document', { 'src/a.ts': `import { ImageRun } from 'docx'\n${LOGO}` }],
    ['Electron', { 'src/main.ts': `import { Tray } from 'electron'\n${LOGO}new Tray(logo)` }],
    ['a feed', { 'src/rss.xml.js': `import rss from '@astrojs/rss'\n${LOGO}rss({ customData: logo.src })` }],
    ['an e-mail', { 'src/mail.tsx': `import { Img } from '@react-email/components'\n${LOGO}<Img src={logo} />` }],
    ['a file by its URL', { 'src/a.ts': `import { readFile } from 'node:fs/promises'\nreadFile(new URL('./logo.png', import.meta.url))` }],
    ['a file by a constant', { 'src/a.ts': `import * as fs from 'fs'\nconst file = fileURLToPath(new URL('./logo.png', import.meta.url))\nfs.readFileSync(file)` }],
    ['a file by its import', { 'src/a.ts': `import fs from 'node:fs'\nimport path from 'node:path'\n${LOGO}const file = path.join(dir, logo)\nfs.readFileSync(file)` }],
    ['Bun.file', { 'src/a.ts': `${LOGO}new Response(Bun.file(logo))` }],
    ['fetch', { 'src/a.ts': `${LOGO}const blob = await fetch(logo).then((r) => r.blob())` }],
    ['fetch of a URL', { 'src/a.ts': `const url = new URL('./logo.png', import.meta.url)\nawait fetch(url)` }],
    ['a helper', { 'src/a.ts': `${LOGO}const data = await imageToBase64(logo)` }],
    ['the clipboard', { 'src/a.ts': `${LOGO}new ClipboardItem({ 'image/png': load(logo) })` }],
    ['a card in JSX', { 'src/a.jsx': `${LOGO}<meta property="og:image" content={site + logo} />` }],
    ['a card in Vue', { 'src/a.vue': `<script setup>${LOGO}</script><template><Meta name="twitter:image" :content="logo" /></template>` }],
    ['useSeoMeta', { 'src/a.vue': `<script setup>${LOGO}\nuseSeoMeta({ title: 'a', ogImage: new URL(logo, site).href })</script>` }],
    ['useHead', { 'src/a.ts': `${LOGO}useHead({ meta: [{ property: 'og:image', content: logo }] })` }],
    ['metadata of Next.js', { 'src/page.tsx': `${LOGO}export const metadata: Metadata = { title: 'a', openGraph: { images: [logo.src] } }` }],
    ['generateMetadata', { 'src/page.tsx': `${LOGO}const generateMetadata = () => ({ openGraph: { images: [{ url: logo.src }] } })` }],
    ['next-seo', { 'src/a.tsx': `${LOGO}<NextSeo openGraph={{ images: [{ url: logo.src }] }} />` }],
    ['an icon', { 'src/a.jsx': `${LOGO}<link rel="icon" type="image/png" href={logo} />` }],
    ['an icon of a route', { 'src/root.tsx': `${LOGO}export const links = () => [{ rel: 'icon', href: logo }]` }],
    ['a download', { 'src/a.jsx': `${LOGO}<a download href={logo}>Logo</a>` }],
    ['a download of a script', { 'src/a.js': `${LOGO}const a = document.createElement('a')\na.href = logo\na.click()` }],
    ['a link in Svelte', { 'src/a.svelte': `<script>${LOGO}</script><a href={logo}>a</a>` }],
    ['a link in Astro', { 'src/a.astro': `---\n${LOGO}---\n<a href={logo.src}>a</a>` }],
    ['a name in another file', { 'src/images.ts': `${LOGO}export const big = logo\n`, 'src/b.ts': `import { big } from './images'\nfetch(big)` }],
    ['a name that is exported again', { 'src/images.ts': `export { default as logo } from './logo.png'`, 'src/b.ts': `import { jsPDF } from 'jspdf'\nimport { logo } from './images'` }],
    ['a function of another file', { 'src/a.ts': `import { report } from './pdf'\n${LOGO}report({ title, logo })`, 'src/pdf.ts': `import 'jspdf'\nexport async function report() {}` }],
    ['a component of another file', { 'src/a.jsx': `import Report from './pdf'\n${LOGO}<Report logo={logo} />`, 'src/pdf.jsx': `import '@react-pdf/renderer'\nexport default function Report() {}` }],
  ])('is given to %s', async (_, files) => {
    expect(await givenBy(files)).toEqual([Object.keys(files)[0], undefined])
  }) // prettier-ignore

  it('is an image of any format, and of an alias', async () => {
    expect(await givenBy({ 'src/a/b.ts': `${PHOTO}fetch(photo)` })).toEqual([undefined, 'src/a/b.ts'])
  })

  it.each<[string, Files]>([
    ['an element shows', { 'src/a.jsx': `${LOGO}export const A = () => <a href="/logo"><img src={logo} alt="logo" /></a>` }],
    ['an SVG shows', { 'src/a.jsx': `${LOGO}<svg><image href={logo} /></svg>` }],
    ['is fetched in advance', { 'src/a.jsx': `${LOGO}<link rel="preload" as="image" href={logo} />` }],
    ['is fetched in advance by a route', { 'src/a.ts': `${LOGO}export const links = () => [{ rel: 'preload', as: 'image', href: logo }]` }],
    ['a style shows', { 'src/a.js': `${LOGO}const style = css({ content: url(logo) })` }],
    ['stands in the text of an attribute', { 'src/a.jsx': `${LOGO}<meta name="description" content={'the logo of us'} /><img src={logo} />` }],
    ['stands in other data', { 'src/a.js': `${LOGO}const people = [{ href: '/a', image: logo }]` }],
    ['is a constant whose name another call has', { 'src/a.js': `${LOGO}const url = '/api'\nfetch(url)\nconst b = logo` }],
    ['a page with a script of such a name shows', { 'index.html': '<script src="/js/canvas.js"></script><img src="./src/logo.png">' }],
    ['is imported where files are read', { 'src/a.tsx': `import fs from 'node:fs'\n${LOGO}const posts = fs.readFileSync('posts.json')\n<img src={logo} />` }],
    ['an own file of such a name gets', { 'src/a.js': `import { draw } from './canvas'\n${LOGO}draw(logo)` }],
  ])('is not what %s', async (_, files) => {
    expect(await givenBy(files)).toEqual([undefined, undefined])
  }) // prettier-ignore
})
