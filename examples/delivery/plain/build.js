import { mkdir, writeFile } from 'node:fs/promises'
import { atWidth, deliveryUrl, srcset } from '@pixpress/client/delivery'

const options = { endpoint: process.env.IMAGES_ENDPOINT, key: process.env.IMAGES_SIGNING_KEY }
const WIDTHS = [320, 640, 1280]

const pictures = ['fig.jpg', 'chart.png', 'sunrise.jpg'].map(async (name) => {
  // Signed once for all widths, so that one signature serves the whole list.
  const template = await deliveryUrl(`photos/${name}`, { w: '*' }, options)
  const list = srcset(template, WIDTHS)
  return `<img src="${atWidth(template, 640)}" srcset="${list}" sizes="(min-width: 60rem) 30vw, 90vw" width="640" alt="${name}">`
})

await mkdir('dist', { recursive: true })
await writeFile(
  'dist/index.html',
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Delivered pictures</title>
<h1>Delivered pictures</h1>
${(await Promise.all(pictures)).join('\n')}
</html>
`,
)
