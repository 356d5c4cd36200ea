import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { EXTENSIONS, createOptimizer } from '@pixpress/core'

const images = new URL('../images/', import.meta.url)
const dist = new URL('./dist/', import.meta.url)

// One optimizer for the whole program: it shares the processors out and keeps results between runs.
const optimizer = createOptimizer({ cache: { dir: '.cache/pixpress' } })

// At most 1280 pixels wide, as whatever type comes out smallest.
const operations = { resize: { method: 'fit', width: 1280, height: 1280 }, convert: { type: '*/*' } }

await mkdir(dist, { recursive: true })
const names = (await readdir(images)).filter((name) => /\.(jpg|png|webp|gif)$/.test(name))

await Promise.all(
  names.map(async (name) => {
    const { data, info, input } = await optimizer.optimize(await readFile(new URL(name, images)), operations)
    const output = `${path.parse(name).name}.${EXTENSIONS[info.type]}`
    await writeFile(new URL(output, dist), data)
    console.log(`${name} ${input.size} → ${output} ${info.size} bytes, ${info.width}×${info.height}`)
  }),
)

await optimizer.close()
