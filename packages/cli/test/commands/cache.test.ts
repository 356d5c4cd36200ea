import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { graphic, photo } from '@pixpress/testkit'
import { beforeEach, describe, expect, it } from 'vitest'
import { useFolder } from '../command-line.ts'

const folder = useFolder()
const json = async (...args: string[]): Promise<Record<string, unknown>> =>
  JSON.parse((await folder.run(['cache', ...args, '--json'])).stdout) as Record<string, unknown>

async function entries(): Promise<string[]> {
  const dir = path.join(folder.path, '.cache', 'pixpress')
  const all = await readdir(dir, { recursive: true, withFileTypes: true })
  return all
    .filter((entry) => entry.isFile() && entry.name !== '.gitignore')
    .map((entry) => path.join(entry.parentPath, entry.name))
}

beforeEach(async () => {
  await folder.write({
    'a.png': await graphic(64, 48).png(),
    'b.png': await graphic(64, 48, 2).png(),
  })
  await folder.run(['compress', '.', '--out', 'out'])
})

describe('pixpress cache', () => {
  it('path prints the folder that compress uses', async () => {
    const { code, stdout } = await folder.run(['cache', 'path'])
    expect(code).toBe(0)
    expect(stdout).toBe(`${path.join(folder.path, '.cache', 'pixpress')}\n`)
    expect((await json('path', '--dir', 'other')).dir).toBe(path.join(folder.path, 'other'))
  })

  it('stats counts the entries', async () => {
    const { entries: count, bytes } = await json('stats')
    // Each result, and the note that it is finished.
    expect(count).toBe(4)
    expect(bytes).toBeGreaterThan(0)
    expect((await folder.run(['cache', 'stats'])).stdout).toMatch(/^pixpress {2}4 entries, [\d.]+ k?B, in /)
    expect(await json('stats', '--dir', 'none')).toMatchObject({ entries: 0, bytes: 0 })
  })

  it('prune leaves what was used lately', async () => {
    expect(await json('prune', '--max-size', '0')).toMatchObject({ removed: 0 })
    expect(await json('prune', '--max-size', '1 kB')).toMatchObject({ removed: 0 })
    expect(await json('stats')).toMatchObject({ entries: 4 })
  })

  it('clear removes all', async () => {
    expect(await json('clear')).toMatchObject({ removed: 4 })
    expect(await json('stats')).toMatchObject({ entries: 0, bytes: 0 })
  })

  it('verify finds what is damaged', async () => {
    expect(await json('verify')).toMatchObject({ entries: 4, broken: 0 })
    const [one] = await entries()
    await writeFile(one!, (await readFile(one!)).subarray(0, -1))
    const { code, stdout } = await folder.run(['cache', 'verify'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'pixpress  1 of 4 entries damaged\n' })
  })

  it.each([
    [[], /Expected one of path, stats, prune, clear, verify/],
    [['purge'], /Expected one of path, stats/],
    [['stats', 'clear'], /Expected one of path, stats/],
    [['stats', '--max-size', '1'], /--max-size is for 'pixpress cache prune'/],
    [['prune', '--max-size', '1k'], /a size of at least 0 bytes, such as '300kB' or '20MiB' for '--max-size'/],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await folder.run(['cache', ...args])
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })
})

it('survives npm ci by default, which removes node_modules whole, and is no matter of Git', async () => {
  await folder.write({ 'a.jpg': await photo(64, 48).jpeg(95) })
  await folder.write({ 'node_modules/a/index.js': '' })
  await folder.run(['compress', 'a.jpg', '--dry-run'])
  await rm(path.join(folder.path, 'node_modules'), { recursive: true })
  const { stdout } = await folder.run(['compress', 'a.jpg', '--dry-run', '--json'])
  expect((JSON.parse(stdout) as { totals: object }).totals).toMatchObject({ encoded: 0, cached: 1 })
  const dir = (await folder.run(['cache', 'path'])).stdout.trim()
  expect(dir).toBe(path.join(folder.path, '.cache', 'pixpress'))
  expect(await folder.read('.cache/pixpress/.gitignore')).toEqual(Buffer.from('*\n'))
  // A folder that somebody names may be meant for Git.
  await folder.run(['compress', 'a.jpg', '--dry-run', '--cache-dir', 'mine'])
  expect(await folder.files()).not.toContain('mine/.gitignore')
})
