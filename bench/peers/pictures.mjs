import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { siteName } from '../images/source-files.mjs'

const run = promisify(execFile)
const LIST = path.join(import.meta.dirname, 'pictures.tsv')

/** Maximum number of milliseconds for one package: the largest has 12 MB. */
const PATIENCE = 180_000

/**
 * Downloads the pictures of `pictures.tsv`, which themes, templates and design systems ship in their npm packages. They
 * are not part of this repository because of their licences. Each is compared with the digest in the list.
 * @param into a folder for the pictures, under the names that the site uses
 * @returns for each picture its name there, its `package`, and its `file` in it
 * @throws Error if a package cannot be downloaded, or if a picture has another digest
 */
export async function downloadPictures(into) {
  const rows = (await readFile(LIST, 'utf8'))
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
    .map(([name, version, file, digest]) => ({ package: `${name}@${version}`, file, digest }))
  await mkdir(into, { recursive: true })
  const unpacked = `${into}-packages`
  const pictures = []
  for (const name of new Set(rows.map((row) => row.package))) {
    const folder = path.join(unpacked, `${pictures.length}`)
    await unpack(name, folder)
    for (const row of rows.filter((each) => each.package === name)) {
      const bytes = await readFile(path.join(folder, 'package', row.file))
      const digest = createHash('sha256').update(bytes).digest('hex')
      if (!digest.startsWith(row.digest)) throw new Error(`${row.file} of ${name} is not the picture of the list.`)
      const picture = { ...row, name: siteName(pictures.length, row.file) }
      await writeFile(path.join(into, picture.name), bytes)
      pictures.push(picture)
    }
  }
  await rm(unpacked, { recursive: true })
  return pictures
}

async function unpack(name, folder) {
  await mkdir(folder, { recursive: true })
  const options = { cwd: folder, timeout: PATIENCE, shell: process.platform === 'win32' }
  const { stdout } = await run('npm', ['pack', '--silent', name], options)
  await run('tar', ['xzf', stdout.trim().split('\n').at(-1)], options)
}
