import { useTemporaryFolder } from '@pixpress/testkit'
import { expect, it } from 'vitest'
import { parseQuery } from '../../src/directives/query.ts'
import { mistaken } from '../../src/types/shipped.ts'

const folder = useTemporaryFolder()

const noted = (query: string): string | undefined => mistaken(parseQuery(query), folder.path)?.[1]

it('notes the imports that TypeScript takes for a string, and writes the one that it does not', async () => {
  await folder.write({ 'tsconfig.json': '{}' })
  expect(noted('?as=picture&w=640')).toContain("'?w=640&as=picture'")
  expect(noted('?as=img&w=320;640')).toContain("'?w=320;640&as=img'")
  expect(noted('?w=640&as=metadata&format=webp')).toContain("'?w=640&format=webp&as=metadata'")
  const right = ['?w=640&as=picture', '?w=640', '?as=url&w=640', '?as=picture', '?as=picture&preset=hero%20image']
  expect(right.map(noted)).toEqual(right.map(() => undefined))
})

it('notes nothing in a project without TypeScript', () => {
  expect(noted('?as=picture&w=640')).toBeUndefined()
})
