import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { exifFiles, graphic } from '@pixpress/testkit'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findPictures } from '../../src/report/page-pictures.ts'
import { image, reportOf } from './images.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'pixpress-pictures-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function write(name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(path.dirname(path.join(root, name)), { recursive: true })
  await writeFile(path.join(root, name), bytes)
}

const links = async (...images: Parameters<typeof reportOf>[0]): Promise<(string | undefined)[]> =>
  (await findPictures(reportOf(images), root, path.join(root, 'report.html'))).pictures.map(
    ({ afterLink }) => afterLink,
  )

it('finds results of a build by bytes, type and name, or by bytes alone where nothing else has them', async () => {
  await write('assets/hero-1.avif', new Uint8Array(50))
  await write('assets/other-1.avif', new Uint8Array(50))
  await write('assets/9f8e7d.avif', new Uint8Array(60))
  await write('node_modules/x/hero.avif', new Uint8Array(70))
  expect(await links(image('hero.jpg', 100, 50), image('only.jpg', 100, 60), image('zero.jpg', 100, 70))).toEqual([
    './assets/hero-1.avif',
    './assets/9f8e7d.avif',
    undefined,
  ])
})

it('names the files of a build that refer to a result, and not the page of an earlier run', async () => {
  await write('assets/hero-1.avif', new Uint8Array(50))
  await write('blog/index.html', Buffer.from('<img src="../assets/hero-1.avif">'))
  await write('report.html', Buffer.from('"./assets/hero-1.avif"'))
  const { pictures } = await findPictures(reportOf([image('hero.jpg', 100, 50)]), root, path.join(root, 'report.html'))
  const [found] = pictures
  expect(found!.places).toEqual(['blog/index.html'])
})

it('guesses none of two that could be it', async () => {
  await write('a.avif', new Uint8Array(50))
  await write('b.avif', new Uint8Array(50))
  expect(await links(image('hero.jpg', 100, 50))).toEqual([undefined])
})

it('goes by what the command says it wrote', async () => {
  await write('out/hero.avif', new Uint8Array(50))
  expect(await links(image('hero.jpg', 100, 50, { output: 'out/hero.avif' }))).toEqual(['./out/hero.avif'])
  expect(await links(image('hero.jpg', 100, 51, { output: 'out/hero.avif' }))).toEqual([undefined])
})

it('makes no thumbnail of what cannot be decoded', async () => {
  const png = await graphic(64, 48).png()
  await write('torn.png', png.subarray(0, 90))
  await write('whole.png', png)
  const report = reportOf([image('torn.png', 90, 9), image('whole.png', png.length, 9)])
  const { pictures: found } = await findPictures(report, root, path.join(root, 'report.html'))
  expect(found.map(({ thumbnail }) => thumbnail !== undefined)).toEqual([false, true])
})

it('turns a thumbnail as browsers turn its picture', async () => {
  const { TYPE, corners, exif, exifSegment, inJpeg, orientation } = exifFiles
  const jpeg = await corners(64, 40).jpeg().toBuffer()
  const sizes = [TYPE.short, TYPE.long].map(async (type, index) => {
    const data = inJpeg(jpeg, exifSegment(exif('MM', [orientation(type, [6])])))
    await write(`${index}.jpg`, data)
    const { pictures } = await findPictures(
      reportOf([{ ...image(`${index}.jpg`, data.length, 10), output: `${index}.out` }]),
      root,
      path.join(root, 'report.html'),
    )
    const { width, height } = await sharp(Buffer.from(pictures[0]!.thumbnail!.split(',')[1]!, 'base64')).metadata()
    return [width, height]
  })
  expect(await Promise.all(sizes)).toEqual([
    [40, 64],
    [64, 40],
  ])
})
