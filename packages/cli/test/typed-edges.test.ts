import { graphic } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { useFolder } from './command-line.ts'

const folder = useFolder()

describe('a wrong value of a flag', () => {
  it.each([
    ['convert', ['--convert', 'avi']],
    ['preserve', ['--preserve', 'name']],
    ['quality', ['--quality', '999']],
    ['effort', ['--effort', 'ultra']],
    ['resize', ['--resize', 'shrink', '--width', '5']],
    ['position', ['--position', 'here', '--width', '5', '--height', '5']],
    ['kernel', ['--kernel', 'round', '--width', '5']],
    ['background', ['--background', 'nothing']],
  ])('is told of by the name of the flag, and lists each word once: --%s', async (flag, args) => {
    await folder.write({ 'a.png': await graphic(20, 20).png() })
    const { code, stderr } = await folder.run(['compress', '.', ...args])
    expect(code).toBe(2)
    expect(stderr).toContain(`'--${flag}'`)
    expect(stderr).not.toMatch(/'(?:convert|resize)\.|Known:/)
    const [listed = ''] = stderr.split(' for ')
    const words = listed.match(/'[^']+'/g) ?? []
    const formats = words.map((word) => word.replace('image/', ''))
    expect(new Set(formats).size).toBe(formats.length)
  })

  it('in the configuration is told of by the name of the option', async () => {
    await folder.write({ 'pixpress.config.mjs': "export default { convert: { type: 'avi' } }" })
    const { code, stderr } = await folder.run(['compress', '.'])
    expect([code, stderr.includes('convert.type'), stderr.includes('--convert')]).toEqual([2, true, false])
  })
})

describe('a file that cannot be read', () => {
  it.each([
    ['a report that is not there', ['report', 'nothing.json']],
    ['an older report that is not there', ['report', 'nothing.json', 'a.json']],
    ['a folder for a report', ['report', '.']],
    ['a picture for a report', ['report', 'a.png']],
    ['a baseline that is not there', ['check', '.', '--baseline', 'nothing.json']],
    ['a list that is not there', ['compress', '--files-from', 'nothing.txt']],
    ['a folder for a list', ['compress', '--files-from', '.']],
  ])('is told of without the words of Node: %s', async (_, args) => {
    await folder.write({ 'a.png': await graphic(20, 20).png() })
    const { code, stderr } = await folder.run(args)
    expect(code).toBe(2)
    expect(stderr).toContain(`'${args.at(-1) === 'a.json' ? 'nothing.json' : args.at(-1)}'`)
    expect(stderr).not.toMatch(/E[A-Z]{4,}|Unexpected token|JSON at position|not valid JSON/)
  })
})

describe('a flag without a command', () => {
  it.each([
    ['--verson', '--version'],
    ['--hlep', '--help'],
    ['--verion=1', '--version'],
  ])('is never a file to compress: %s', async (written, meant) => {
    const { code, stderr } = await folder.run([written])
    expect([code, stderr.includes(`'${meant}'`), stderr.includes('compress')]).toEqual([2, true, false])
  })

  it('belongs to a command', async () => {
    const { code, stderr } = await folder.run(['--quality'])
    expect([code, stderr.includes('compress --quality')]).toEqual([2, false])
  })
})

/** Lines that have the bytes before and after of all images. */
const totals = (stdout: string, sizes: RegExp): number => stdout.split('\n').filter((line) => sizes.test(line)).length

describe('the total of a run', () => {
  it('is printed once, when images are worked on, when all are cached, and by a report', async () => {
    await folder.write({ 'a.png': await graphic(160, 120).png(), 'b.png': await graphic(120, 160).png() })
    const first = await folder.run(['compress', '.', '--out', 'out', '--cache-dir', '.cache'])
    const [, before, after] = /([\d.]+ k?B) → ([\d.]+ k?B) \(/.exec(first.stdout)!
    const both = new RegExp(`${before} +→ +${after}`)
    expect(totals(first.stdout, both)).toBe(1)
    const second = await folder.run(['compress', '.', '--out', 'out', '--cache-dir', '.cache', '--dry-run'])
    expect(totals(second.stdout, both)).toBe(1)
    const json = await folder.run(['compress', '.', '--out', 'out', '--cache-dir', '.cache', '--json'])
    await folder.write({ 'report.json': json.stdout })
    expect(totals((await folder.run(['report', 'report.json'])).stdout, both)).toBe(1)
    expect(totals((await folder.run(['report', 'report.json', '--full'])).stdout, both)).toBe(1)
  })
})
