import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { replaceFile } from '@pixpress/core/internal'
import type { FoundImage } from './found-image.ts'
import { createObjections } from './surroundings.ts'
import type { FindObjection } from './surroundings.ts'

/** The builds of one project that have to agree: what a server writes is what scripts in the browser take over. */
export type Side = 'client' | 'server'

/** A stylesheet, and the component that its scoped rules are of, where it is part of one. */
export interface ComponentStyles {
  readonly css: string
  readonly owner?: string
}

/** An image of a template as it was noted. */
export interface NotedImage extends FoundImage {
  /** Absolute path of the component. */
  readonly file: string
}

/** Says by a sentence why an image of a template has no picture; `undefined` where it has one. */
export type Refusal = string | undefined

/** Decides for each image of a project's templates whether it is shown in a `<picture>`. */
export interface Decisions {
  /** Notes an image under the key that stands for it in scripts. */
  note(key: string, image: NotedImage): void
  image(key: string): NotedImage | undefined
  /** Notes what compilers have made of a stylesheet. A second one of the same id takes the first one's place. */
  stylesheet(side: Side, id: string, styles: ComponentStyles): void
  /**
   * Decides on every image noted so far, once all stylesheets of the side are noted. A server does as the client did,
   * in this run or an earlier one, as its stylesheets need not be all.
   * @returns images that the other side shows otherwise
   */
  settle(side: Side): Promise<readonly NotedImage[]>
  /** Tells what was decided. An image that was never noted has a picture. */
  refusal(side: Side, key: string): Refusal
  /** Tells whether any image that is looked up by its URL is shown in a picture. */
  looksUp(side: Side): boolean
}

/** Makes the decisions of a project. @param folder absolute; what was decided is kept there for builds of a server */
export function createDecisions(folder: string): Decisions {
  const images = new Map<string, NotedImage>()
  const styles: Readonly<Record<Side, Map<string, ComponentStyles>>> = { client: new Map(), server: new Map() }
  const decided: Readonly<Record<Side, Map<string, Refusal>>> = { client: new Map(), server: new Map() }
  const record = path.join(folder, 'pictures.json')

  function decide(side: Side): Map<string, Refusal> {
    const sheets = [...styles[side].values()]
    // All rules are read once, however many components there are, and then those of a component's own scope.
    const judge = createObjections(sheets.map(({ css }) => css))
    const ofOwn = new Map<string, FindObjection>()
    for (const { css, owner } of sheets) {
      const unscoped = css.replace(SVELTE_SCOPE, '')
      if (owner === undefined || unscoped === css) continue
      const [known, own] = [ofOwn.get(owner), createObjections([unscoped])]
      ofOwn.set(owner, (place) => known?.(place) ?? own(place))
    }
    return new Map([...images].map(([key, { file, place }]) => [key, judge(place) ?? ofOwn.get(file)?.(place)]))
  }

  return {
    note: (key, image) => void images.set(key, image),
    image: (key) => images.get(key),
    stylesheet: (side, id, sheet) => void styles[side].set(id, sheet),
    async settle(side) {
      const own = decide(side)
      if (side === 'server') {
        const known = decided.client.size > 0 ? fingerprints(decided.client, images) : await readRecord(record)
        for (const key of fingerprints(own, images).keys()) {
          const clients = known.get(key)
          if (clients !== undefined) own.set(key.split(' ')[0]!, clients === '' ? undefined : clients)
        }
      }
      replaceAll(decided[side], own)
      if (side === 'client' && images.size > 0) await writeRecord(record, fingerprints(own, images))
      const other = decided[side === 'client' ? 'server' : 'client']
      return [...own]
        .filter(([key, refusal]) => other.has(key) && (other.get(key) === undefined) !== (refusal === undefined))
        .map(([key]) => images.get(key)!)
    },
    refusal: (side, key) => decided[side].get(key),
    looksUp: (side) =>
      [...decided[side]].some(([key, refusal]) => refusal === undefined && images.get(key)?.specifier === undefined),
  }
}

/** The class that Svelte adds to elements and selectors of one component. */
const SVELTE_SCOPE = /:where\(\.svelte-[\da-z]+\)|\.svelte-[\da-z]+/g

/** Decisions with what they were made on: an image that has changed since is another one. */
function fingerprints(
  decisions: ReadonlyMap<string, Refusal>,
  images: ReadonlyMap<string, NotedImage>,
): Map<string, string> {
  return new Map(
    [...decisions].map(([key, refusal]) => {
      const { specifier, place } = images.get(key)!
      const digest = createHash('sha256')
        .update(JSON.stringify([specifier, place]))
        .digest('hex')
        .slice(0, 16)
      return [`${key} ${digest}`, refusal ?? '']
    }),
  )
}

async function readRecord(file: string): Promise<ReadonlyMap<string, string>> {
  try {
    const found: unknown = JSON.parse(await readFile(file, 'utf8'))
    const rows = typeof found === 'object' && found !== null ? Object.entries(found) : []
    return new Map(rows.filter((row): row is [string, string] => typeof row[1] === 'string'))
  } catch {
    // There was no build of the client yet, or its cache is gone: the server decides by what it knows.
    return new Map()
  }
}

async function writeRecord(file: string, rows: ReadonlyMap<string, string>): Promise<void> {
  const sorted = Object.fromEntries([...rows].sort(([one], [other]) => (one < other ? -1 : 1)))
  // A cache that cannot be written is said elsewhere.
  await replaceFile(file, Buffer.from(JSON.stringify(sorted))).catch(() => undefined)
}

function replaceAll<K, V>(target: Map<K, V>, source: ReadonlyMap<K, V>): void {
  target.clear()
  for (const [key, value] of source) target.set(key, value)
}
