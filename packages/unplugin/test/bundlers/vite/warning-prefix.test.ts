import { rollup } from 'rollup'
import { expect, it } from 'vitest'
import { withoutPrefixes } from '../../../src/bundlers/vite/warning-prefix.ts'

/** Messages of the warnings of a build with a plugin of this name. */
async function warningsOf(name: string, change: typeof withoutPrefixes): Promise<string[]> {
  const said: string[] = []
  const plugin = {
    name,
    resolveId: (id: string) => id,
    load: () => '',
    buildStart(this: { warn(message: string): void }) {
      this.warn('a message')
    },
  }
  const options = {
    input: 'a',
    plugins: [plugin],
    onwarn: ({ message }: { message: string }) => void said.push(message),
  }
  const changed = { name: 'changes', options: (given: object) => change(given) }
  const bundle = await rollup({ ...options, plugins: [changed, plugin] })
  await bundle.close()
  return said.filter((message) => message.includes('a message'))
}

it('takes the prefix of Rollup off the warnings of our plugins alone', async () => {
  expect(await warningsOf('pixpress:images', (options) => options)).toEqual(['[plugin pixpress:images] a message'])
  expect(await warningsOf('pixpress:images', withoutPrefixes)).toEqual(['a message'])
  expect(await warningsOf('other', withoutPrefixes)).toEqual(['[plugin other] a message'])
})
