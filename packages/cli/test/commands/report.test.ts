import type { Report } from '@pixpress/core/report'
import { graphic, naming } from '@pixpress/testkit'
import { expect, it } from 'vitest'
import { useFolder } from '../command-line.ts'

const folder = useFolder()

it('prints what --json has written', async () => {
  await folder.write({ 'a.png': await graphic(64, 48).png() })
  const { stdout: json } = await folder.run(['compress', 'a.png', '--json', '--dry-run'])
  await folder.write({ 'report.json': json })
  const { code, stdout } = await folder.run(['report', 'report.json'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^pixpress {2}1 image /)
  expect(stdout).toContain('a.png')
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^pixpress {2}[\d.]+ k?B → [\d.]+ k?B \(/)
})

it('prints all of a long report when asked', async () => {
  const image = { type: 'image/png', inputType: 'image/png', before: 10, after: 5, ratio: 0.5, width: 1, height: 1 }
  const images = Array.from({ length: 60 }, (_, index) => ({
    ...image,
    source: `${index}.png`,
    cached: false,
    kept: 'output',
    notes: [],
  }))
  const totals = {
    images: 60,
    encoded: 60,
    cached: 0,
    failed: 0,
    before: 600,
    after: 300,
    saved: 300,
    ratio: 0.5,
    milliseconds: 1,
  }
  await folder.write({ 'report.json': JSON.stringify({ version: 1, images, failures: [], totals }) })
  expect((await folder.run(['report', 'report.json'])).stdout).toContain('and 20 more')
  const { stdout } = await folder.run(['report', 'report.json', '--full'])
  expect(stdout.split('\n').filter((line) => line.includes('.png'))).toHaveLength(60)
})

it('makes a page of a report, and of what lies between two', async () => {
  await folder.write({ 'a.png': await graphic(64, 48).png(), 'copy.png': await graphic(64, 48).png() })
  const older = await folder.run(['compress', 'a.png', '--json', '--out', 'old'])
  const newer = await folder.run(['compress', 'a.png', 'copy.png', '--json', '--out', 'new', '--html', 'page.html'])
  const images = (JSON.parse(newer.stdout) as Report).images
  expect(images.map(({ duplicates }) => duplicates)).toEqual([['copy.png'], ['a.png']])
  await folder.write({ 'older.json': older.stdout, 'newer.json': newer.stdout })
  const page = (await folder.read('page.html')).toString()
  expect(page).toContain('"beforeLink":"./copy.png","afterLink":"./new/copy.png"')
  expect(page).not.toContain('"changes"')
  const made = await folder.run(['report', 'newer.json', '--html', 'one.html'])
  expect(made).toMatchObject({ code: 0, stdout: '' })
  expect((await folder.read('one.html')).toString()).toBe(page)
  const { stdout } = await folder.run(['report', 'older.json', 'newer.json'])
  expect(stdout).toMatch(/^pixpress {2}1 added {2}1 unchanged\n {2}copy\.png 64w .* added\n/)
  await folder.run(['report', 'older.json', 'newer.json', '--html', 'pages/two.html'])
  expect((await folder.read('pages/two.html')).toString()).toMatch(/"changes":.*"afterLink"|"afterLink".*"changes":/)
  expect(await folder.files()).not.toContainEqual(expect.stringContaining('.tmp'))
})

it('takes the page of the configuration, relative to it', async () => {
  await folder.write({
    'a.png': await graphic(64, 48).png(),
    'pixpress.config.mjs': "export default { report: { html: 'out/page.html' } }",
  })
  expect((await folder.run(['compress', 'a.png', '--dry-run'])).code).toBe(0)
  expect(await folder.files()).toContain('out/page.html')
  await folder.write({ 'wrong.mjs': "export default { report: { htm: 'page.html' } }" })
  const { code, stderr } = await folder.run(['compress', 'a.png', '--dry-run', '--config', 'wrong.mjs'])
  expect(code).toBe(2)
  expect(stderr).toEqual(naming("'report.htm'", "'html'"))
})

it.each([
  [[], /Expected one report/],
  [['a.json', 'b.json', 'c.json'], /Expected one report, or two/],
  [['package.json', '--html'], /--html needs a value/],
  [['none.json'], /There is no file 'none\.json'/],
  [['package.json'], /'package\.json' is no report of pixpress/],
])('refuses %j', async (args, message) => {
  const { code, stderr } = await folder.run(['report', ...args])
  expect(code).toBe(2)
  expect(stderr).toMatch(message)
})
