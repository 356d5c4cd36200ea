import { expect, it } from 'vitest'
import type { Destination } from '../../src/places/contract.ts'

const object = (text: string): { bytes: Uint8Array; type: string } => ({
  bytes: new Uint8Array(Buffer.from(text)),
  type: 'image/png',
})

const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString()

async function all(keys: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const key of keys) found.push(key)
  return found.sort()
}

/** Checks a destination. @param open returns one that is empty */
export function testDestination(open: () => Promise<Destination>): void {
  it('creates objects and never replaces one', async () => {
    const destination = await open()
    expect(await destination.create('a/b c+ü.png', object('first'))).toBe('created')
    expect(await destination.create('a/b c+ü.png', object('second'))).toBe('present')
    expect(textOf(await destination.get('a/b c+ü.png'))).toBe('first')
  })

  it('lets one of several creators win, and keeps its bytes whole', async () => {
    const destination = await open()
    const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(100_000))
    const outcomes = await Promise.all(texts.map((text) => destination.create('one', object(text))))
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1)
    const kept = texts[outcomes.indexOf('created')]!
    expect(textOf(await destination.get('one'))).toBe(kept)
  })

  it('replaces an object where that is asked for', async () => {
    const destination = await open()
    await destination.create('a', object('first'))
    await destination.replace('a', object('second'))
    await destination.replace('b', object('new'))
    expect([textOf(await destination.get('a')), textOf(await destination.get('b'))]).toEqual(['second', 'new'])
  })

  it('tells whether an object has the very bytes', async () => {
    const destination = await open()
    await destination.create('a', object('bytes'))
    const held = ['bytes', 'bytez', 'byte'].map((text) => destination.holds('a', Buffer.from(text)))
    expect(await Promise.all([...held, destination.holds('b', Buffer.from('bytes'))])).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  it('gives the beginning of an object, and nothing of one that is not there', async () => {
    const destination = await open()
    await destination.create('a', object('0123456789'))
    await destination.create('short', object('01'))
    await destination.create('empty', object(''))
    expect(textOf(await destination.get('a', 4))).toBe('0123')
    expect(textOf(await destination.get('short', 4))).toBe('01')
    expect(textOf(await destination.get('empty', 4))).toBe('')
    expect(await destination.get('b', 4)).toBeUndefined()
    expect(await destination.get('b')).toBeUndefined()
  })

  it('lists what is below a folder', async () => {
    const destination = await open()
    for (const key of ['a/1', 'a/b/2', 'ab/3', 'a/ü&<3>', 'a/100%+1']) await destination.create(key, object(key))
    expect(await all(destination.keys('a/'))).toEqual(['a/1', 'a/100%+1', 'a/b/2', 'a/ü&<3>'])
    expect(await all(destination.keys('none/'))).toEqual([])
  })
}
