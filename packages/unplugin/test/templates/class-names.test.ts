import { expect, it } from 'vitest'
import { possibleText } from '../../src/templates/class-names.ts'
import { nodeOf, nodesOf } from '../../src/templates/syntax.ts'
import { parse } from './parse.ts'

const read = (expression: string): string | undefined =>
  possibleText(nodeOf(nodesOf(parse(`(${expression})`), 'body')[0], 'expression'))
    ?.replace(/\s+/g, ' ')
    .trim()

it.each([
  [`'a b'`, 'a b'],
  ['`a`', 'a'],
  [`on ? 'a' : 'b'`, 'a b'],
  [`on && 'a'`, 'a'],
  [`clsx('a', { b: on, 'c-d': off }, on ? 'e' : undefined, ['f', null])`, 'a b c-d e f'],
])('%s holds %j', (expression, text) => {
  expect(read(expression)).toBe(text)
})

it.each(['styles.card', '`a ${b}`', `clsx('a', className)`, `on && props.name`, `clsx({ [name]: on })`, `other('a')`])(
  '%s may hold anything',
  (expression) => {
    expect(read(expression)).toBeUndefined()
  },
)
