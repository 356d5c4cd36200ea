import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runScript } from '../measure/run-build.mjs'
import { counted } from './counting-bucket.mjs'

const COMMAND = path.join(import.meta.dirname, '../teams/command-child.mjs')

/**
 * Runs `pixpress compress` with a bucket as the shared cache: first with new images only, then on a machine with an
 * empty folder.
 * @returns rows with `name`, `cpu` in milliseconds and the counts of the bucket
 */
export async function measureSharedCache(images, folder, bucket, { accessKeyId, secretAccessKey }) {
  process.env.PIXPRESS_CACHE_KEY = randomBytes(32).toString('hex')
  const remote = {
    service: 's3',
    endpoint: bucket.url,
    region: 'us-east-1',
    path: 'outputs/cache',
    aws_access_key_id: accessKeyId,
    aws_secret_access_key: secretAccessKey,
  }
  const cache = { dir: 'cache', mode: 'readwrite', remote }
  await mkdir(path.join(folder, 'images'), { recursive: true })
  await writeFile(path.join(folder, 'package.json'), '{}')
  await writeFile(path.join(folder, 'pixpress.config.mjs'), `export default ${JSON.stringify({ cache })}`)
  await Promise.all(
    images.map((image, index) => writeFile(path.join(folder, 'images', `${index}.${extensionOf(image)}`), image)),
  )
  const rows = []
  for (const name of ['all new', 'all from the bucket']) {
    process.stderr.write(`compress, ${name}\n`)
    const before = bucket.counts()
    const { cpu } = await runScript([COMMAND, 'compress', 'images', '--out', 'dist'], {
      folder,
      name: `compress, ${name}`,
    })
    rows.push({ name, cpu, ...counted(before, bucket.counts()) })
    for (const made of ['cache', 'dist']) await rm(path.join(folder, made), { recursive: true, force: true })
  }
  return rows
}

/** Returns the extension by the first byte of the three possible types. */
const extensionOf = (image) => ({ 0xff: 'jpg', 0x89: 'png' })[image[0]] ?? 'webp'
