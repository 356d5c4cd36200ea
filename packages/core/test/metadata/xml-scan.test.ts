import { LINEAR, growth } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { escapeXml, scanXml, unescapeXml } from '../../src/metadata/xml-scan.ts'

function scan(texts: readonly string[]): void {
  for (const text of texts) for (const token of scanXml(text)) void token
}

describe('scanXml', () => {
  it('yields tags, attributes and text, and skips comments and instructions', () => {
    expect([...scanXml(`<?xml version="1.0"?><!-- <b> --><a x='1' y="2&gt;"> t <b/><![CDATA[<&]]></a>`)]).toEqual([
      { kind: 'open', name: 'a', attributes: [['x', '1'], ['y', '2&gt;']], empty: false },
      { kind: 'text', text: ' t ' },
      { kind: 'open', name: 'b', attributes: [], empty: true },
      { kind: 'text', text: '&#60;&#38;' },
      { kind: 'close' },
    ]) // prettier-ignore
  })

  it.each([
    '<!DOCTYPE a><b/>',
    '<!DOCTYPE x="y"><b/>',
    '<!DOCTYPE a [<!ENTITY e "x">]><b/>',
    '<!-- open <b/>',
    '<? open <b/>',
    '<![CDATA[ open <b/>',
    '<b x="1',
    '<b x=1/>',
    '< b/>',
  ])('ends at %s', (text) => {
    expect([...scanXml(text)]).toEqual([])
  })

  it.each(['<', '<a ', '<a x="', '<!--', '<a x=" '])('takes linear time for many times %s', (part) => {
    const make = (times: number): string[] => [
      part.repeat((60_000 / part.length) * times),
      `<a${' '.repeat(60_000 * times)}`,
    ]
    expect(growth(make, scan)).toBeLessThan(LINEAR)
  })
})

describe('unescapeXml', () => {
  it('resolves the five names and numbers', () => {
    expect(unescapeXml('&lt;&gt;&amp;&quot;&apos;&#169;&#x2615;')).toBe(`<>&"'©☕`)
  })

  it.each(['&lol;', '&xxe;', 'a & b', '&#xD800;', '&#x110000;', '&#9999999;'])('refuses %s', (text) => {
    expect(unescapeXml(text)).toBeUndefined()
  })

  it('undoes escapeXml', () => {
    const text = `a<b>&"'\n\t\r©`
    expect(unescapeXml(escapeXml(text))).toBe(text)
    expect(escapeXml(text)).not.toMatch(/[<>"\n\t\r]/)
  })
})
