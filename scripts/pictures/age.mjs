import { createHash } from 'node:crypto'
import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { root } from '../bootstrap.mjs'

/** Digests of what the pictures were made of, beside them. */
const FILE = path.join(root, 'docs/images/pictures.json')

/** Reads the digests of what each group of pictures was made of, by its name. */
export const readAges = async () => JSON.parse(await readFile(FILE, 'utf8').catch(() => '{}'))

/** Writes the digests in the order of their names. */
export async function writeAges(ages) {
  const sorted = Object.fromEntries(Object.entries(ages).toSorted(([one], [other]) => (one < other ? -1 : 1)))
  await writeFile(FILE, `${JSON.stringify(sorted, undefined, 2)}\n`)
}

/** One digest of files and folders, by their paths and bytes. @param inputs paths from the top, or `engine` */
export async function digestOf(inputs) {
  const hash = createHash('sha256')
  for (const input of inputs) {
    for (const file of input === 'engine' ? ['engine'] : await filesIn(input)) {
      hash.update(`${file}\0`)
      hash.update(file === 'engine' ? await engineRevision() : await readFile(path.join(root, file)))
    }
  }
  return hash.digest('hex').slice(0, 16)
}

async function filesIn(input) {
  if ((await stat(path.join(root, input))).isFile()) return [input]
  const entries = await readdir(path.join(root, input), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name))
  return files.map((file) => path.relative(root, file).split(path.sep).join('/')).toSorted()
}

/** The line that has the revision: results of another one have other bytes. */
async function engineRevision() {
  const source = await readFile(path.join(root, 'packages/core/src/base/versions.ts'), 'utf8')
  const [line] = /^export const ENGINE_REVISION.*$/m.exec(source) ?? []
  if (line === undefined) throw new Error('packages/core/src/base/versions.ts has no ENGINE_REVISION.')
  return line
}
