import { mkdir, writeFile } from 'node:fs/promises'
import { deliveryUrl } from '@pixpress/client/delivery'
import { Image } from '@unpic/react/base'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { transform } from './pixpress-transformer.js'

const options = { endpoint: process.env.IMAGES_ENDPOINT, key: process.env.IMAGES_SIGNING_KEY }

/** Heights at 640 pixels of width. */
const pictures = [
  { name: 'fig.jpg', height: 433 },
  { name: 'chart.png', height: 356 },
  { name: 'sunrise.jpg', height: 427 },
].map(async ({ name, height }) => {
  const src = await deliveryUrl(`photos/${name}`, { w: '*' }, options)
  return createElement(Image, {
    key: name,
    src,
    alt: name,
    width: 640,
    height,
    layout: 'constrained',
    breakpoints: [320, 640, 1280],
    transformer: transform,
  })
})

const page = createElement(
  'html',
  { lang: 'en' },
  createElement('title', null, 'Delivered pictures'),
  createElement('body', null, createElement('h1', null, 'Delivered pictures'), await Promise.all(pictures)),
)
await mkdir('dist', { recursive: true })
await writeFile('dist/index.html', `<!doctype html>\n${renderToStaticMarkup(page)}`)
