import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { digestOf, readAges } from '../../scripts/pictures/age.mjs'
import { colouredHtml } from '../../scripts/pictures/terminal-page.mjs'
import { GROUPS } from '../../scripts/pictures/list.mjs'
import { ROOT, linksOf, markdownFiles, readPage } from './markdown.ts'

const FOLDER = path.join(ROOT, 'docs/images')

/** Bytes that all pictures of the page of faces may have. */
const MOST_BYTES = 1_500_000

const names = Object.values(GROUPS).flatMap(({ pictures }) => pictures)
const isPicture = (name: string): boolean => /\.(?:webp|png|jpg|avif)$/.test(name)

describe('the pictures of the documentation', () => {
  it.each(Object.entries(GROUPS))('are no older than what they show: %s', async (name, { inputs }) => {
    const now = await digestOf(inputs)
    const made = (await readAges())[name]
    expect(made, `Make them anew: pnpm build && node scripts/pictures.mjs ${name}`).toBe(now)
  })

  it('are all made by the script', async () => {
    const found = (await readdir(FOLDER, { recursive: true, encoding: 'utf8' })).filter(isPicture)
    expect(found.toSorted()).toEqual(names.toSorted())
  })

  it('are all shown by a page', async () => {
    const links: string[] = []
    for (const file of await markdownFiles()) {
      for (const link of linksOf(await readPage(file))) links.push(path.posix.join(path.posix.dirname(file), link))
    }
    expect(names.filter((name) => !links.includes(`docs/images/${name}`))).toEqual([])
  })

  it(`of the faces take less than ${MOST_BYTES} bytes together`, async () => {
    const faces = names.filter((name) => name.startsWith('faces/'))
    const sizes = await Promise.all(faces.map(async (name) => (await stat(path.join(FOLDER, name))).size))
    const sum = sizes.reduce((total, size) => total + size, 0)
    expect(faces.length).toBe(28)
    expect(sum).toBeLessThan(MOST_BYTES)
  })
})

describe('digestOf', () => {
  it('tells files, folders and the engine apart, and orders no files anew', async () => {
    const [file, folder, engine] = await Promise.all([
      digestOf(['LICENSE']),
      digestOf(['packages/face/src']),
      digestOf(['engine']),
    ])
    expect(new Set([file, folder, engine]).size).toBe(3)
    expect(await digestOf(['LICENSE'])).toBe(file)
    await expect(digestOf(['nowhere'])).rejects.toThrow('nowhere')
  })
})

const code = (number: number): string => `\u001B[${number}m`

describe('colouredHtml', () => {
  it('ends bold and dim together, as terminals do, and leaves no style to what follows', () => {
    // Around dim, picocolors begins bold anew behind the end of the inner one.
    const total = `${code(1)}total ${code(2)}png${code(22)}${code(1)} ${code(32)}-71%${code(39)}${code(22)}`
    expect(colouredHtml(`${total} and ${code(2)}<more>${code(22)} text`)).toBe(
      '<span class="bold">total </span><span class="bold dim">png</span><span class="bold"> </span>' +
        '<span class="bold green">-71%</span> and <span class="dim">&#60;more&#62;</span> text',
    )
  })
})
