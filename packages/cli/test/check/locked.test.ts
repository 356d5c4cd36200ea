import { photo } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { useFolder } from '../command-line.ts'

const folder = useFolder()
const OTHER = 'f'.repeat(64)

describe('check of a lock that was edited', () => {
  it.each([['result'], ['sha256'], ['bytes']])('is content once the images were made again: %s', async (name) => {
    await folder.write({ 'src/a.jpg': await photo(200, 150).jpeg(97), 'pixpress.lock': '' })
    const compress = (): ReturnType<typeof folder.run> => folder.run(['compress', 'src', '--out', 'dist', '--quiet'])
    const rules = async (): Promise<string[]> => {
      const { stdout } = await folder.run(['check', 'src', '--min-saving', '99', '--format', 'json'])
      return (JSON.parse(stdout) as { findings: { rule: string }[] }).findings.map(({ rule }) => rule)
    }
    await compress()
    expect(await rules()).toEqual([])
    const right = (await folder.read('pixpress.lock')).toString()
    await folder.write({
      'pixpress.lock': right.replace(
        new RegExp(`"${name}":(?:"[0-9a-f]+"|\\d+)`),
        `"${name}":${name === 'bytes' ? 5 : `"${OTHER}"`}`,
      ),
    })
    expect(await rules()).toEqual([name === 'sha256' ? 'not-locked' : 'lock-differs'])
    expect((await compress()).code).toBe(0)
    expect((await folder.read('pixpress.lock')).toString()).toBe(right)
    expect(await rules()).toEqual([])
  })
})
