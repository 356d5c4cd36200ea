import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { runScript } from '../measure/run-build.mjs'

const COMMAND = path.join(import.meta.dirname, 'command-child.mjs')
/** Milliseconds after which a cache folder counts as unchanged. */
const SETTLED_MS = 3000
const HASH = path.join(import.meta.dirname, 'hash-child.mjs')

/**
 * Runs warm `pixpress check` on some images, and on enough copies of them, in folders of their own, to reach each
 * count. The time beyond a check of one image, and beyond reading and hashing the files, is the share of each image.
 * @returns rows with `count`, `wall`, `cpu`, `memory` and `each`, in microseconds of processor time
 */
export async function measureChecks(images, into, counts) {
  const names = await readdir(images)
  await mkdir(path.join(into, 'one'), { recursive: true })
  await writeFile(path.join(into, 'package.json'), '{}')
  await copyFile(path.join(images, names[0]), path.join(into, 'one', names[0]))
  const check = (folder) =>
    runScript([COMMAND, 'check', folder, '--min-saving', '100'], { folder: into, name: `check of ${folder}` })
  const hash = (folder) => runScript([HASH, folder], { folder: into, name: `hashes of ${folder}` })
  const empty = path.join(into, 'none')
  await mkdir(empty)
  process.stderr.write('the first check, which encodes\n')
  await fill(path.join(into, 'all'), images, names, names.length)
  await check('all')
  // Files that changed a moment ago are checked once more.
  await setTimeout(SETTLED_MS)
  await check('one')
  const fixed = (await check('one')).cpu - (await hash('none')).cpu
  const rows = []
  for (const count of counts) {
    process.stderr.write(`check of ${count}\n`)
    const folder = `images-${count}`
    await fill(path.join(into, folder), images, names, count)
    await check(folder)
    const [checked, hashed] = [await check(folder), await hash(folder)]
    rows.push({ count, ...checked, hashed: hashed.cpu, each: ((checked.cpu - hashed.cpu - fixed) * 1000) / count })
  }
  return rows
}

async function fill(folder, images, names, count) {
  for (let index = 0; index < count; index++) {
    const name = names[index % names.length]
    const place = path.join(folder, String(Math.floor(index / names.length)))
    if (index % names.length === 0) await mkdir(place, { recursive: true })
    await copyFile(path.join(images, name), path.join(place, name))
  }
}
