import { it } from 'vitest'
import { renderReport } from '../../src/core/report/table.ts'
import { createReport } from '../../src/core/report/json.ts'
import type { ReportImage } from '../../src/core/report/json.ts'
const img = (source: string, before: number, after: number, o: Partial<ReportImage> = {}): ReportImage => ({ source, type: 'image/avif', inputType: 'image/jpeg', before, after, ratio: 1, width: 1, height: 1, cached: false, kept: 'output', notes: [], ...o })
it('x', () => {
  const images = [img('src/assets/photos/2024/summer/beach/hero.jpg', 1234567, 230100), img('src/日本語/写真.png', 12300, 8100, { cached: true, type: 'image/png' }), img('a/\x1b[31mred.svg', 999950, 512, { type: 'image/svg+xml' }), img('b.png', 1000, 5000)]
  for (const width of [119, 59, 39]) {
    const r = createReport(new Map(images.map((i, n) => [String(n), i])), [{ source: 'src/broken.png', code: 'DECODE_FAILED', message: 'The image data is\ntruncated, and more of this \x1b[2J text.' }], 3210)
    console.log(renderReport(r, { width, color: width === 59, full: false }))
    console.log(renderReport(createReport(new Map(images.map((i, n) => [String(n), { ...i, cached: true }])), [], 85), { width, color: false, full: false }))
  }
})
