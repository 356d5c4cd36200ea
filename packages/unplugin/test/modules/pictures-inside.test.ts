import path from 'node:path'
import { expectSimilar, photo, useTemporaryFolder, naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { withLighterPictures } from '../../src/modules/pictures-inside.ts'
import type { TextKind } from '../../src/modules/pictures-inside.ts'
import { createSession } from '../../src/session/index.ts'
import { resolvePluginOptions } from '../../src/session/options/resolve.ts'
import type { Options } from '../../src/session/options/options.ts'
import type { Session } from '../../src/session/session.ts'

const folder = useTemporaryFolder()
const open = (options: Options = {}): Session =>
  createSession(resolvePluginOptions({ report: false, cache: { dir: 'cache' }, ...options }, folder.path))

const PNG = Buffer.from(await photo(60, 45, 1).png())
const JPEG = Buffer.from(await photo(90, 60, 2).jpeg(98))
const SMALL = Buffer.from(await photo(6, 4, 3).png())
const url = (data: Uint8Array, type = 'png', rest = ''): string =>
  `data:image/${type}${rest};base64,${Buffer.from(data).toString('base64')}`

const warned: string[] = []
const lighten = (session: Session, text: string, as: TextKind, name = `a.${as}`): Promise<string> =>
  withLighterPictures(session, { text, as, file: path.join(folder.path, name) }, (message) => void warned.push(message))

const picturesOf = (text: string): Buffer[] =>
  [...text.matchAll(/;base64,([\w+/]+=*)/gi)].map(([, base64]) => Buffer.from(base64!, 'base64'))

const withoutPictures = (css: string): string => css.replaceAll(/base64,[\w+/=]+/g, '')

describe('withLighterPictures', () => {
  it('compresses pictures of a stylesheet in place, and leaves all else to the byte', async () => {
    const text = `@import "x.css"; .a { background: url(${url(PNG)}) no-repeat, url("./b.png") } /* ${url(PNG)} */\n.b { mask: image-set('${url(JPEG, 'jpeg')}' 1x) }`
    const made = await lighten(open(), text, 'css')
    const [first, comment, second] = picturesOf(made)
    await expectSimilar(first!, PNG)
    await expectSimilar(second!, JPEG)
    expect([first!.length < PNG.length, second!.length < JPEG.length]).toEqual([true, true])
    expect(comment!.equals(PNG)).toBe(true)
    expect(withoutPictures(made)).toBe(withoutPictures(text))
  })

  it('compresses those of a page wherever a page has images, but for what is marked to stay', async () => {
    const text = [
      `<link rel="icon" href="${url(PNG)}"><style>a { background: url(${url(PNG)}) }</style>`,
      `<img src='${url(PNG)}' srcset="${url(PNG)} 1x, ${url(JPEG, 'jpeg')} 2x"><video poster=${url(JPEG, 'jpeg')}></video>`,
      `<p style="background: url(&quot;${url(PNG)}&quot;)">${url(PNG)}</p>`,
      `<img vite-ignore src="${url(PNG)}"><script>const a = '${url(PNG)}'</script>`,
    ].join('\n')
    const made = await lighten(open(), text, 'html')
    const isKept = picturesOf(made).map((data) => data.equals(PNG) || data.equals(JPEG))
    expect(isKept).toEqual([false, false, false, false, false, false, false, true, true, true])
    expect(made).toMatch(/[\w+/=] 1x, data:image\/jpeg;base64,[\w+/=]+ 2x">/)
    const asPage = await lighten(open(), text, 'page')
    expect(picturesOf(asPage).map((data) => data.equals(PNG))).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
      true,
      true,
      true,
      true,
    ])
  })

  it('compresses those of JSON, which stays JSON', async () => {
    const value = { assets: [{ p: url(PNG), u: '', e: 1 }], html: `<img src="${url(PNG)}">` }
    const made = JSON.parse(await lighten(open(), JSON.stringify(value), 'json')) as typeof value
    await expectSimilar(picturesOf(made.assets[0]!.p)[0]!, PNG)
    expect(made.assets[0]!.p.length).toBeLessThan(value.assets[0]!.p.length)
    expect(made.html).toBe(value.html)
  })

  it.each([
    ['small ones', url(SMALL)],
    ['broken base64', `${url(PNG)}!`],
    ['bytes that are no image', url(Buffer.alloc(3000, 'text'))],
    ['vectors', url(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(3000)}</svg>`), 'svg+xml')],
  ])('leaves %s', async (_, data) => {
    const text = `.a { background: url("${data}") }`
    expect(await lighten(open(), text, 'css')).toBe(text)
  })

  it('keeps a picture that cannot be decoded, with a warning that says where it is', async () => {
    const text = `.a { background: url(${url(PNG)}), url(${url(PNG.subarray(0, 2000))}) }`
    warned.length = 0
    const made = await lighten(open(), text, 'css')
    expect(picturesOf(made)[1]!.equals(PNG.subarray(0, 2000))).toBe(true)
    expect(picturesOf(made)[0]!.length).toBeLessThan(PNG.length)
    expect(warned).toEqual([naming('a.css (data: 2).png: ')])
  })

  it('keeps what a URL says of itself, also where it is not so', async () => {
    const head = 'DATA:IMAGE/PNG;charset=utf-8;BASE64,'
    const made = await lighten(open(), `.a { background: url(${head}${JPEG.toString('base64')}) }`, 'css')
    expect(made).toContain(head)
    await expectSimilar(picturesOf(made)[0]!, JPEG)
    expect(picturesOf(made)[0]!.length).toBeLessThan(JPEG.length)
  })

  it.each<[string, Options]>([
    ['the text', { exclude: 'a.css*' }],
    ['the type', { exclude: '**/*.png' }],
    ['a place', { exclude: 'a.css (data: 1).png' }],
    ['all others', { include: 'images/**' }],
  ])('leaves what the options exclude by %s', async (_, options) => {
    const text = `.a { background: url(${url(PNG)}) }`
    expect(await lighten(open(options), text, 'css')).toBe(text)
  })

  it('keeps the promise that overrides make', async () => {
    const text = `.a { background: url(${url(JPEG, 'jpeg')}) }`
    const overrides = [{ include: '*.css (data: *', quality: 'small' as const }]
    const [usual, small] = [await lighten(open(), text, 'css'), await lighten(open({ overrides }), text, 'css')]
    expect(small.length).toBeLessThan(usual.length)
  })

  it('takes its own results and files that are excluded for what they are', async () => {
    const session = open({ exclude: 'left.png' })
    await folder.write({ 'left.png': PNG })
    expect(session.matches(path.join(folder.path, 'left.png'))).toBe(false)
    const made = await session.finish(session.planBytes(path.join(folder.path, 'b.jpg'), JPEG), () => undefined)
    const before = session.log.images().size
    const text = `.a { background: url(${url(PNG)}), url(${url(made.data, 'jpeg')}) }`
    expect(await lighten(session, text, 'css')).toBe(text)
    expect(session.log.images().size).toBe(before)
  })

  it('gives its pictures no line in the lock', async () => {
    const session = open({ lock: true })
    await lighten(session, `.a { background: url(${url(PNG)}) }`, 'css')
    await session.endBuild()
    expect((await folder.files()).filter((file) => file === 'pixpress.lock')).toEqual([])
  })
})
