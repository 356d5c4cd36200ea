import { graphic } from '@pixpress/testkit'
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
  expect(stdout).toContain('total')
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

it.each([
  [[], /Expected one report/],
  [['a.json', 'b.json'], /Expected one report/],
  [['none.json'], /'none\.json' cannot be read as a report/],
  [['package.json'], /'package\.json' is no report of pixpress/],
])('refuses %j', async (args, message) => {
  const { code, stderr } = await folder.run(['report', ...args])
  expect(code).toBe(2)
  expect(stderr).toMatch(message)
})
