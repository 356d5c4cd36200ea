import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { BuildOptions, BuildResult, PluginBuild } from 'esbuild'
import { offerAlternatives } from '../../fallbacks/offer-alternatives.ts'
import { unmarked } from '../../fallbacks/marks.ts'
import { nameBeside } from '../../fallbacks/name-beside.ts'
import type { Session } from '../../session/session.ts'

/** Matches esbuild's own hashes in names: eight characters of base 32. */
const HASH = /[A-Z2-7]{8}(?=[^A-Z2-7]*$)/

/**
 * Stylesheets that offer images in several types: changed when esbuild has minified and written them, in memory as well
 * (`write: false`). Their names are made of marks that stand in the URLs until then.
 */
export function offerInEsbuild(build: PluginBuild, session: Session): void {
  if (!session.alternatives.isWanted) return
  const { initialOptions } = build
  // The only list of what a build has written.
  initialOptions.metafile = true
  build.onEnd(async (result) => {
    if (result.errors.length > 0 || result.metafile === undefined) return undefined
    const warnings: { text: string }[] = []
    await changeOutput(initialOptions, result, session, (text) => void warnings.push({ text }))
    return { warnings }
  })
}

/**
 * Changes the output of one build.
 */
async function changeOutput(
  options: BuildOptions,
  result: BuildResult,
  session: Session,
  warn: (message: string) => void,
): Promise<void> {
  const root = path.resolve(options.absWorkingDir ?? '.')
  const folder = path.resolve(root, options.outdir ?? path.dirname(options.outfile ?? 'out'))
  const outputs = result.metafile!.outputs
  const nameOf = (file: string): string => path.relative(folder, path.resolve(root, file)).split(path.sep).join('/')
  const names = Object.keys(outputs).map(nameOf)
  const inMemory = new Map((result.outputFiles ?? []).map((file) => [nameOf(file.path), file]))
  const fileOf = (name: string): string => path.join(folder, name)

  function write(name: string, contents: Uint8Array): void {
    const output = outputs[path.relative(root, fileOf(name)).split(path.sep).join('/')]
    if (output !== undefined) output.bytes = contents.length
    if (result.outputFiles === undefined) {
      mkdirSync(path.dirname(fileOf(name)), { recursive: true })
      writeFileSync(fileOf(name), contents)
      return
    }
    const file = {
      path: fileOf(name),
      contents,
      hash: createHash('sha256').update(contents).digest('base64'),
      text: Buffer.from(contents).toString('utf8'),
    }
    const at = result.outputFiles.findIndex((each) => each.path === file.path)
    result.outputFiles.splice(at === -1 ? result.outputFiles.length : at, at === -1 ? 0 : 1, file)
    inMemory.set(name, file)
  }

  const read = (name: string): Uint8Array | undefined =>
    result.outputFiles === undefined ? readFileSync(fileOf(name)) : inMemory.get(name)?.contents

  for (const name of names.filter((each) => /\.css$/i.test(each))) {
    const text = Buffer.from(read(name) ?? []).toString('utf8')
    const plain = unmarked(text)
    if (plain !== text) write(name, Buffer.from(plain))
  }
  const base = options.publicPath ?? ''
  const known = new Set(names)
  await offerAlternatives(
    session,
    {
      base: base === '' || base.endsWith('/') ? base : `${base}/`,
      names,
      read,
      write: (name, text) => write(name, Buffer.from(text)),
      emit(image, beside) {
        const stem = path.posix.parse(beside).name
        const hashed = HASH.test(stem) ? stem.replace(HASH, base32(image.data)) : undefined
        const name = nameBeside(image, { name: beside, hashed, isTaken: (each) => known.has(each) })
        known.add(name)
        outputs[path.relative(root, fileOf(name)).split(path.sep).join('/')] = {
          bytes: image.data.length,
          inputs: {},
          imports: [],
          exports: [],
        }
        write(name, image.data)
        return name
      },
    },
    warn,
  )
}

function base32(data: Uint8Array): string {
  const digest = createHash('sha256').update(data).digest()
  return [...digest.subarray(0, 8)].map((byte) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[byte & 31]).join('')
}
