/** Everything that the fence holds of one build of the packages. */
import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { PICTURES } from './cases.mjs'
import { measureTexts } from './texts.mjs'

const listener = path.join(import.meta.dirname, 'listen.mjs')
const processes = Number(process.env.FENCE_PROCESSES ?? 2)

/** The results of a build: a line for each case of an image, and the lines of each text. */
export async function measure(root, { short, only = '' }) {
  const images = await measureImages(root, ({ name, isShort }) => (isShort || !short) && name.includes(only))
  const texts = only === '' || only === 'texts' ? await measureTexts(root, short) : new Map()
  return { images: Object.fromEntries(images), texts: Object.fromEntries(texts) }
}

async function measureImages(root, chosen) {
  const queue = PICTURES.map(({ picture, cases }) => ({ picture, cases: cases.filter(chosen) })).filter(
    ({ cases }) => cases.length > 0,
  )
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-fence-'))
  const lines = new Map()
  const waiting = queue.values()
  await Promise.all(
    Array.from({ length: processes }, (_, at) => run(root, path.join(folder, `encodes-${at}`), waiting, lines)),
  )
  await rm(folder, { recursive: true, force: true })
  return lines
}

/** One process works on the pictures that are left until there is none. */
function run(root, file, waiting, lines) {
  const child = fork(path.join(import.meta.dirname, 'images.mjs'), [root], {
    // Threads of the engine take it from this variable alone.
    env: { ...process.env, FENCE_ENCODES: file, NODE_OPTIONS: `--import=${pathToFileURL(listener)}` },
  })
  return new Promise((resolve, reject) => {
    child.on('message', (message) => {
      if (message === 'done') child.send(waiting.next().value ?? 'end')
      else {
        if (process.env.FENCE_CPU) console.log(Math.round(message.cpu), message.name)
        lines.set(message.name, message.line)
      }
    })
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`A process of the fence ended with ${code}.`))
    })
  })
}
