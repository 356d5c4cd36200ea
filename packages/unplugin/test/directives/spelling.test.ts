import { describe, expect, it } from 'vitest'
import { DIRECTIVE_NAMES } from '../../src/directives/rows.ts'
import { isMisspeltDirective, unknownDirective } from '../../src/directives/spelling.ts'
import { UNSUPPORTED_DIRECTIVES } from '../../src/directives/vocabulary.ts'

describe('unknownDirective', () => {
  it.each([
    ['widht', 'w'],
    ['width', 'w'],
    ['heigth', 'h'],
    ['fromat', 'format'],
    ['type', 'format'],
    ['fmt', 'format'],
    ['qualitiy', 'quality'],
    ['bg', 'background'],
    ['backgroud', 'background'],
    ['basepixels', 'basePixels'],
    ['perset', 'preset'],
    ['noinline', 'no-inline'],
    ['orignal', 'original'],
  ])('suggests for %s', (written, right) => {
    expect(unknownDirective(written)).toMatchObject({
      code: 'INVALID_OPTION',
      message: `Unknown directive '${written}'. Did you mean '${right}'?`,
    })
  })

  it('lists the directives when nothing is near', () => {
    expect(unknownDirective('zzzzzzzz').message).toBe(
      `Unknown directive 'zzzzzzzz'. Known: ${DIRECTIVE_NAMES.join(', ')}.`,
    )
  })

  it.each(Object.entries(UNSUPPORTED_DIRECTIVES))("says that imagetools' %s is not supported", (name, hint) => {
    const { code, message } = unknownDirective(name)
    expect(code).toBe('INVALID_OPTION')
    expect(message).toContain(`Directive '${name}' is not supported. ${hint}`)
    expect(hint).not.toBe('')
  })

  it('does not take a member of every object for a directive', () => {
    expect(unknownDirective('constructor').message).toMatch(/^Unknown directive 'constructor'\. Known: /)
  })

  it('names the place in the options', () => {
    expect(unknownDirective('widht', 'presets.hero').message).toBe(
      "Unknown option 'presets.hero.widht'. Did you mean 'w'?",
    )
  })
})

describe('isMisspeltDirective', () => {
  it.each(['widht', 'hieght', 'fromat', 'preseve', 'metod', 'W', 'AS', 'Format'])('is for %s', (name) => {
    expect(isMisspeltDirective(name)).toBe(true)
  })

  it.each([
    'react',
    'component',
    'svgr',
    'foo',
    'id',
    'x',
    'q',
    'type',
    'size',
    'url',
    'hash',
    'module',
    'worker',
    'origFormat',
    'origHeight',
  ])('is not for %s', (name) => {
    expect(isMisspeltDirective(name)).toBe(false)
  })
})
