import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { nameBeside } from '../../fallbacks/name-beside.ts'
import { offerAlternatives } from '../../fallbacks/offer-alternatives.ts'
import { mimeType } from '../../session/encode/data-url.ts'
import type { Warn } from '../../session/plan/images.ts'
import type { Session } from '../../session/session.ts'
import type { BunArtifact, BunConfig, BunGlobal } from './bun-api.ts'

type Described = Pick<BunArtifact, 'kind' | 'loader' | 'hash' | 'sourcemap' | 'type'>

/**
 * Pages and stylesheets that offer images in several types: changed when Bun has minified and written them, in memory
 * as well (without `outdir`). Stylesheets that have a hash in their name get a new one.
 * @param outputs the list that `Bun.build` gives; images are added
 */
export async function offerInArtifacts(
  session: Session,
  { outdir, publicPath = '' }: BunConfig,
  outputs: BunArtifact[],
  warn: Warn,
): Promise<void> {
  const nameOf = ({ path: file }: BunArtifact): string =>
    (outdir === undefined ? path.normalize(file) : path.relative(path.resolve(outdir), path.resolve(file)))
      .split(path.sep)
      .join('/')
  const artifacts = new Map(outputs.map((artifact) => [nameOf(artifact), artifact]))
  const contents = new Map<string, Uint8Array>()
  for (const [name, artifact] of artifacts) contents.set(name, new Uint8Array(await artifact.arrayBuffer()))
  const changed = new Set<string>()

  /** Puts a file into the output, in the place of one of the same name. */
  function put(name: string, data: Uint8Array<ArrayBuffer>, { kind, loader, hash, sourcemap, type }: Described): void {
    const file = outdir === undefined ? `./${name}` : path.resolve(outdir, name)
    if (outdir !== undefined) {
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, data)
    }
    const { Bun } = globalThis as { Bun?: BunGlobal }
    const blob = outdir === undefined ? new Blob([data], { type }) : Bun!.file(file)
    const artifact = Object.assign(blob, { path: file, kind, loader, hash, sourcemap })
    const at = outputs.indexOf(artifacts.get(name)!)
    outputs.splice(at === -1 ? outputs.length : at, at === -1 ? 0 : 1, artifact)
    artifacts.set(name, artifact)
    contents.set(name, data)
  }

  await offerAlternatives(
    session,
    {
      base: publicPath === '' || publicPath.endsWith('/') ? publicPath : `${publicPath}/`,
      names: [...contents.keys()],
      read: (name) => contents.get(name),
      mayChangeRules: () => true,
      write(name, text) {
        changed.add(name)
        put(name, Buffer.from(text), artifacts.get(name)!)
      },
      emit(image, beside) {
        const { hash: inName, kind, loader } = artifacts.get(beside)!
        const hash = inName === null ? null : hashLike(inName, image.data)
        const stem = path.posix.parse(beside).name
        const hashed = inName !== null && stem.includes(inName) ? stem.replace(inName, hash!) : undefined
        const name = nameBeside(image, { name: beside, hashed, isTaken: (each) => contents.has(each) })
        put(name, Buffer.from(image.data), { kind, loader, hash, sourcemap: null, type: mimeType(image) })
        return name
      },
    },
    warn,
  )
  for (const name of changed) if (/\.css$/i.test(name)) rename(name)

  function rename(name: string): void {
    const artifact = artifacts.get(name)!
    const data = contents.get(name)!
    const { hash: inName } = artifact
    if (inName === null || !name.includes(inName)) return
    const hash = hashLike(inName, data)
    const renamed = path.posix.join(path.posix.dirname(name), path.posix.basename(name).replace(inName, hash))
    put(renamed, Buffer.from(data), { ...described(artifact), hash })
    outputs.splice(outputs.indexOf(artifact), 1)
    artifacts.delete(name)
    contents.delete(name)
    if (outdir !== undefined) rmSync(path.resolve(outdir, name), { force: true })
    for (const [other, bytes] of contents) {
      if (!/\.(?:html?|[cm]?js)$/i.test(other)) continue
      const text = Buffer.from(bytes).toString('utf8')
      const led = text.replaceAll(path.posix.basename(name), () => path.posix.basename(renamed))
      if (led !== text) put(other, Buffer.from(led), artifacts.get(other)!)
    }
  }
}

const described = ({ kind, loader, hash, sourcemap, type }: BunArtifact): Described => ({
  kind,
  loader,
  hash,
  sourcemap,
  type,
})

const hashLike = (hash: string, data: Uint8Array): string =>
  createHash('sha256').update(data).digest('hex').slice(0, hash.length)
