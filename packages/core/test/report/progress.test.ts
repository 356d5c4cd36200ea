import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createProgress } from '../../src/report/progress.ts'
import type { Progress } from '../../src/report/progress.ts'

const ERASE = '\r\u001B[2K'

/** A terminal that keeps what is written, each write with its time. */
class Terminal {
  readonly isTTY: boolean
  readonly columns: number
  readonly writes: { at: number; text: string }[] = []

  constructor(columns = 80, isTTY = true) {
    this.columns = columns
    this.isTTY = isTTY
  }

  write(text: string): void {
    this.writes.push({ at: Date.now(), text })
  }

  /** The text that the line shows now. */
  get line(): string {
    return (
      this.writes
        .map(({ text }) => text)
        .join('')
        .split(ERASE)
        .at(-1) ?? ''
    )
  }
}

function start(terminal: Terminal, rest: { enabled?: boolean; environment?: Record<string, string> } = {}): Progress {
  return createProgress({ enabled: true, stream: terminal, environment: {}, ...rest })
}

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

describe('progress', () => {
  it('shows how far the images are, and the one that is waited for longest', () => {
    const terminal = new Terminal()
    const progress = start(terminal)
    for (let index = 0; index < 6; index++) progress.begin(`id${index}`, `/site/src/${index}.jpg`, 1000)
    vi.advanceTimersByTime(399)
    expect(terminal.writes).toEqual([])
    vi.advanceTimersByTime(1)
    expect(terminal.line).toBe('pixpress  0/6 images  0 B of 6.0 kB  0.jpg')
    for (const id of ['id0', 'id2', 'id3', 'id4']) progress.end(id)
    vi.advanceTimersByTime(100)
    expect(terminal.line).toBe('pixpress  4/6 images  4.0 kB of 6.0 kB  1 s left  1.jpg')
  })

  it('shows what is done of all there is, in images and bytes, and the time left', () => {
    const terminal = new Terminal()
    const progress = start(terminal)
    progress.expect({ images: 40, bytes: 10_000_000 })
    progress.begin('a', '/site/a.jpg', 2_500_000)
    progress.begin('b', '/site/b.jpg', 1_000_000)
    vi.advanceTimersByTime(400)
    expect(terminal.line).toBe('pixpress  0/40 images  0 B of 10.0 MB  a.jpg')
    vi.advanceTimersByTime(29_500)
    progress.end('a')
    vi.advanceTimersByTime(100)
    expect(terminal.line).toBe('pixpress  1/40 images  2.5 MB of 10.0 MB  41 s left  b.jpg')
    // A later run in the same process, as in watch mode, begins at nothing.
    progress.end('b')
    progress.expect({ images: 1, bytes: 5 })
    progress.begin('c', 'c.jpg', 5)
    vi.advanceTimersByTime(1000)
    expect(terminal.line).toBe('pixpress  0/1 images  0 B of 5 B  c.jpg')
  })

  it('estimates by what was begun where no total is expected, pauses left out', () => {
    const terminal = new Terminal()
    const progress = start(terminal)
    progress.begin('a', 'a.jpg', 1_000_000)
    vi.advanceTimersByTime(10_000)
    progress.end('a')
    vi.advanceTimersByTime(60_000)
    progress.begin('b', 'b.jpg', 3_000_000)
    progress.begin('c', 'c.jpg', 1_000_000)
    vi.advanceTimersByTime(10_000)
    expect(terminal.line).toBe('pixpress  1/3 images  1.0 MB of 5.0 MB  20 s left  b.jpg')
    progress.end('c')
    vi.advanceTimersByTime(100)
    expect(terminal.line).toBe('pixpress  2/3 images  2.0 MB of 5.0 MB  20 s left  b.jpg')
  })

  it('shows the images alone where the terminal is too narrow for all', () => {
    for (const [columns, line] of [
      [48, 'pixpress  1/9 images  500 B of 1.0 kB  2 s left'],
      [40, 'pixpress  1/9 images  2 s left'],
      [24, 'pixpress  1/9 images'],
    ] as const) {
      const terminal = new Terminal(columns)
      const progress = start(terminal)
      progress.expect({ images: 9, bytes: 1000 })
      progress.begin('a', 'a.jpg', 500)
      progress.begin('bee', 'b.jpg', 500)
      vi.advanceTimersByTime(3900)
      progress.end('a')
      vi.advanceTimersByTime(100)
      expect(terminal.line.startsWith(line)).toBe(true)
      progress.end('bee')
      progress.finish()
    }
  })

  it('counts repeats of an image once', () => {
    const terminal = new Terminal()
    const progress = start(terminal)
    progress.begin('a', 'a.jpg', 1000)
    progress.begin('a', 'a.jpg', 1000)
    progress.begin('b', 'b.jpg', 1000)
    progress.end('a')
    progress.end('a')
    progress.begin('a', 'a.jpg', 1000)
    vi.advanceTimersByTime(400)
    expect(terminal.line).toBe('pixpress  1/2 images  1.0 kB of 2.0 kB  1 s left  b.jpg')
  })

  it('shows nothing for less than 400 ms of work', () => {
    const terminal = new Terminal()
    const progress = start(terminal)
    for (let index = 0; index < 3; index++) {
      progress.begin(`${index}`, 'a.jpg', 1000)
      vi.advanceTimersByTime(350)
      progress.end(`${index}`)
      vi.advanceTimersByTime(1000)
    }
    expect(terminal.writes).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is updated at most ten times a second, and not at all when nothing changed', () => {
    const terminal = new Terminal()
    const progress = start(terminal)
    progress.begin('last', 'z.jpg', 1000)
    for (let index = 0; index < 300; index++) {
      progress.begin(`${index}`, 'a.jpg', 1000)
      vi.advanceTimersByTime(10)
      progress.end(`${index}`)
    }
    const times = terminal.writes.map(({ at }) => at)
    expect(times[0]).toBe(400)
    expect(times).toHaveLength(27)
    expect(times.slice(1).every((at, index) => at - times[index]! >= 100)).toBe(true)
    vi.advanceTimersByTime(1000)
    expect(terminal.writes.length).toBeLessThanOrEqual(28)
  })

  it('stays through short pauses, and goes away when work is over', () => {
    const terminal = new Terminal()
    const progress = start(terminal)
    for (let index = 0; index < 12; index++) {
      progress.begin(`${index}`, 'a.jpg', 1000)
      vi.advanceTimersByTime(90)
      progress.end(`${index}`)
      vi.advanceTimersByTime(5)
    }
    expect(terminal.line).toMatch(/^pixpress {2}\d+\/\d+ images/)
    expect(terminal.writes.map(({ text }) => text)).not.toContain(ERASE)
    vi.advanceTimersByTime(100)
    expect(terminal.writes.at(-1)?.text).toBe(ERASE)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('makes room for other output and comes back', () => {
    const terminal = new Terminal()
    const progress = start(terminal)
    progress.clear()
    expect(terminal.writes).toEqual([])
    progress.begin('a', 'a.jpg', 1000)
    vi.advanceTimersByTime(400)
    progress.clear()
    progress.clear()
    expect(terminal.writes.map(({ text }) => text)).toEqual([
      `${ERASE}pixpress  0/1 images  0 B of 1.0 kB  a.jpg`,
      ERASE,
    ])
    vi.advanceTimersByTime(100)
    expect(terminal.line).toBe('pixpress  0/1 images  0 B of 1.0 kB  a.jpg')
  })

  it('counts anew after a build, but for what is still waited for', () => {
    const terminal = new Terminal()
    const progress = start(terminal)
    progress.begin('a', 'a.jpg', 1000)
    progress.begin('b', 'b.jpg', 1000)
    progress.end('a')
    vi.advanceTimersByTime(400)
    progress.finish()
    expect(terminal.line).toBe('')
    progress.begin('a', 'a.jpg', 1000)
    vi.advanceTimersByTime(100)
    expect(terminal.line).toBe('pixpress  0/2 images  0 B of 2.0 kB  b.jpg')
    progress.end('a')
    progress.end('b')
    progress.finish()
    expect(terminal.line).toBe('')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('never fills the line, and lets no escape sequence through', () => {
    for (let columns = 1; columns <= 60; columns++) {
      const terminal = new Terminal(columns)
      const progress = start(terminal)
      progress.begin('a', '/site/a very \u001B[2J long name of a picture.jpg', 1000)
      vi.advanceTimersByTime(400)
      expect(terminal.line.length).toBeLessThanOrEqual(Math.max(1, columns - 1))
      expect(terminal.line).not.toContain('\u001B')
      if (columns === 54) expect(terminal.line).toBe('pixpress  0/1 images  0 B of 1.0 kB  a very…cture.jpg')
      if (columns === 44) expect(terminal.line).toBe('pixpress  0/1 images  0 B of 1.0 kB  a …jpg')
      if (columns === 40) expect(terminal.line).toBe('pixpress  0/1 images  0 B of 1.0 kB')
      progress.end('a')
      progress.finish()
    }
  })

  it.each([
    ['is switched off', new Terminal(), { enabled: false }],
    ['has no terminal', new Terminal(80, false), {}],
    ['runs in CI', new Terminal(), { environment: { CI: 'true' } }],
  ])('writes nothing when it %s', (_, terminal, rest) => {
    const progress = start(terminal, rest)
    progress.begin('a', 'a.jpg', 1000)
    vi.advanceTimersByTime(5000)
    progress.clear()
    progress.finish()
    expect(terminal.writes).toEqual([])
  })
})

it('never keeps the process alive', () => {
  vi.useRealTimers()
  const intervals = vi.spyOn(globalThis, 'setInterval')
  const progress = start(new Terminal())
  progress.begin('a', 'a.jpg', 1000)
  const [timer] = intervals.mock.results.map(({ value }) => value as NodeJS.Timeout)
  expect(timer?.hasRef()).toBe(false)
  progress.end('a')
  progress.finish()
  intervals.mockRestore()
})

describe('progress without a terminal', () => {
  it('writes whole lines where nobody watches, if it is asked to, until the work is over', () => {
    const log = new Terminal(80, false)
    const progress = createProgress({ enabled: true, lines: true, stream: log, environment: {} })
    expect(progress.isShown).toBe(false)
    progress.expect({ images: 2, bytes: 2000, weights: new Map() })
    progress.begin('a', '/site/a.jpg', 1000)
    vi.advanceTimersByTime(9999)
    expect(log.writes).toEqual([])
    vi.advanceTimersByTime(10_001)
    expect(log.writes).toHaveLength(2)
    for (const { text } of log.writes) {
      expect(text).toMatch(/ 0\/2 .*\n$/)
      expect(text).not.toContain('NaN')
      expect(text).not.toContain(ERASE)
    }
    progress.finish()
    vi.advanceTimersByTime(60_000)
    expect(log.writes).toHaveLength(2)
  })
})
