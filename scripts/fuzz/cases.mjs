import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../bootstrap.mjs'
import { mutate } from './mutate.mjs'
import { randomOf } from './random.mjs'

/** Bytes of the largest file that is damaged: a small one is read sooner, and more of it is structure. */
const MOST_BYTES = 40_000

/**
 * Returns the files of a target's corpus in the order of their names.
 * @param {{ corpus: readonly [string, RegExp] }} target folders, with `{a,b}` for several, and the end of the names
 * @returns {{ name: string, bytes: Buffer }[]}
 */
export function corpusOf({ corpus: [place, ending] }) {
  const [, before, inside] = /^(.*?)(?:\{(.*)\})?$/.exec(place)
  const folders = inside === undefined ? [before] : inside.split(',').map((name) => before + name)
  const names = folders.flatMap((folder) =>
    readdirSync(path.resolve(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => ending.test(name))
      .map((name) => path.join(folder, name).split(path.sep).join('/')),
  )
  const files = names.toSorted().map((name) => ({ name, bytes: readFileSync(path.resolve(root, name)) }))
  return files.filter(({ bytes }) => bytes.length <= MOST_BYTES)
}

/**
 * Makes one case: a file of the corpus, damaged. The same target, corpus, seed and number make the same bytes.
 * @param {string} name of the target
 * @param {object} target its row
 * @param {{ name: string, bytes: Buffer }[]} corpus
 * @param {{ seed: string, number: number }} which
 */
export function caseOf(name, target, corpus, { seed, number }) {
  const random = randomOf(seed, name, number)
  const { name: from, bytes } = random.pick(corpus)
  return { from, bytes: mutate(bytes, { ...target, random, other: random.pick(corpus).bytes }) }
}

/** Random numbers for a case's work, apart from those of its damage, so that a saved file is worked on alike. */
export const workRandom = (seed, name, number) => randomOf(seed, name, number, 'work')
