import { Readable } from 'node:stream'
import vm from 'node:vm'
import { failure } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { keepStream, reopenStream } from '../../src/base/kept-stream.ts'
import { piecesOf, sizeOfContent } from '../../src/base/upload-body.ts'
import type { ByteStream, UploadContent } from '../../src/base/upload-body.ts'

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)

async function* chunks(...each: unknown[]): AsyncGenerator<Uint8Array> {
  for (const chunk of each) yield chunk as Uint8Array
}

async function* failing(): AsyncGenerator<Uint8Array> {
  yield bytes(1)
  throw new Error('no disk')
}

async function read(content: UploadContent): Promise<number[]> {
  const all: number[] = []
  for await (const piece of piecesOf(content)) for (const byte of piece) all.push(byte)
  return all
}

const keep = (stream: ByteStream, maxBuffered = 100, size?: number) => keepStream(stream, { size, maxBuffered })

describe('a stream that is kept', () => {
  it.each<[string, () => ByteStream]>([
    ['a generator', () => chunks(bytes(1, 2), bytes(3))],
    ['a stream of Node’s', () => Readable.from([bytes(1, 2), bytes(3)])],
    ['a web stream', () => new Blob([Uint8Array.of(1, 2, 3)]).stream()],
    ['buffers and views', () => chunks(bytes(1, 2).buffer, new DataView(bytes(0, 3).buffer, 1))],
  ])('gives the same each time: %s', async (_, make) => {
    const content = keep(make())
    for (let time = 0; time < 3; time++) expect(await read(content)).toEqual([1, 2, 3])
    expect(content.repeatable).toBe(true)
  })

  it('is read by a reader where web streams cannot be iterated', async () => {
    const stream = new Blob([Uint8Array.of(1, 2, 3)]).stream()
    const onlyReader = { getReader: () => stream.getReader() } as ReadableStream<Uint8Array>
    expect(await read(keep(onlyReader))).toEqual([1, 2, 3])
    let reason: unknown
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytes(1, 2)),
      cancel: () => void (reason = 'cancelled'),
    })
    const left = { getReader: () => endless.getReader() } as ReadableStream<Uint8Array>
    for await (const piece of keep(left, 1).open()) if (piece.length === 2) break
    expect(reason).toBe('cancelled')
  })

  it('goes on behind what it has kept', async () => {
    const content = keep(chunks(bytes(1), bytes(2), bytes(3)))
    for await (const piece of content.open()) if (piece[0] === 2) break
    expect(await read(content)).toEqual([1, 2, 3])
  })

  it('loses nothing to a reader who has given up while he waited', async () => {
    let send!: (chunk: Uint8Array) => void
    const later = new Promise<Uint8Array>((resolve) => (send = resolve))
    const content = keep(chunks(bytes(1), later, bytes(3)))
    const givenUp = content.open()[Symbol.asyncIterator]()
    await givenUp.next()
    const waiting = givenUp.next()
    const second = read(content)
    send(bytes(2))
    expect(await second).toEqual([1, 2, 3])
    expect((await waiting).value).toEqual(bytes(2))
  })

  it('is read once when it gives more than is kept', async () => {
    const content = keep(chunks(bytes(1, 2), bytes(3, 4), bytes(5)), 3)
    expect(await read(content)).toEqual([1, 2, 3, 4, 5])
    expect(content.repeatable).toBe(false)
    await expect(read(content)).rejects.toThrow('no longer there')
  })

  it('is closed when a reader leaves it who was the last that it could have', async () => {
    const closed: boolean[] = []
    for (const maxBuffered of [1, 100]) {
      let isClosed = false
      const stream = (async function* (): AsyncGenerator<Uint8Array> {
        try {
          yield* chunks(bytes(1, 2), bytes(3))
        } finally {
          isClosed = true
        }
      })()
      for await (const piece of keep(stream, maxBuffered).open()) if (piece.length === 2) break
      closed.push(isClosed)
    }
    expect(closed).toEqual([true, false])
  })

  it('takes bytes of another context', async () => {
    const foreign = vm.runInNewContext('[Uint8Array.of(1, 2), Uint8Array.of(3).buffer]') as unknown[]
    expect(await read(keep(chunks(...foreign)))).toEqual([1, 2, 3])
  })

  it('says what came that is no bytes', async () => {
    await expect(read(keep(chunks('text')))).rejects.toThrow(failure('TypeError', 'ArrayBuffer'))
    await expect(read(keep(chunks({})))).rejects.toThrow(failure('TypeError', 'of class Object'))
  })

  it('passes its own error on, each time', async () => {
    const content = keep(failing())
    for (let time = 0; time < 2; time++) await expect(read(content)).rejects.toThrow(failure('Error', 'no disk'))
  })
})

describe('the size that was said', () => {
  it.each([
    [2, 'at least 3'],
    [4, '3'],
  ])('is held to be %i bytes', async (size, found) => {
    const content = keep(chunks(bytes(1, 2), bytes(3)), 100, size)
    expect(sizeOfContent(content)).toBe(size)
    await expect(read(content)).rejects.toThrow(failure('TypeError', size, found))
  })
})

describe('a stream that is opened anew', () => {
  it('keeps nothing', async () => {
    let opened = 0
    const content = reopenStream(() => chunks(bytes(++opened)), 1)
    expect([await read(content), await read(content)]).toEqual([[1], [2]])
    expect(content.repeatable).toBe(true)
  })
})

describe('bytes and blobs', () => {
  it('are given in pieces', async () => {
    const long = new Uint8Array(150_000).map((_, index) => index % 251)
    const sizes: number[] = []
    for await (const piece of piecesOf(long)) sizes.push(piece.length)
    expect(sizes).toEqual([65_536, 65_536, 18_928])
    expect(await read(new Blob([long]))).toEqual([...long])
    expect([sizeOfContent(long), sizeOfContent(new Blob([long]))]).toEqual([150_000, 150_000])
  })
})
