import { describe, expect, it } from 'vitest'
import { readXmp } from '../../src/metadata/xmp.ts'

const NAMESPACES =
  'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/" ' +
  'xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/"'

const read = (text: string): ReturnType<typeof readXmp> => readXmp(new TextEncoder().encode(text))
const packet = (properties: string, attributes = ''): string =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${NAMESPACES}><rdf:Description rdf:about="" ${attributes}>` +
  `${properties}</rdf:Description></rdf:RDF></x:xmpmeta>`

const list = (first: string, second: string): string =>
  packet(
    `<dc:rights><rdf:Alt><rdf:li xml:lang="${first}">one</rdf:li><rdf:li xml:lang="${second}">two</rdf:li></rdf:Alt></dc:rights>`,
  )

describe('readXmp', () => {
  it('reads properties as elements', () => {
    expect(
      read(
        packet(
          '<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">© Ada &amp; Co</rdf:li></rdf:Alt></dc:rights>' +
            '<xmpRights:Marked>True</xmpRights:Marked><xmp:CreateDate>2021-07-04T18:30:15+02:00</xmp:CreateDate>' +
            '<xmpRights:WebStatement rdf:resource="https://example.com/"/>',
        ),
      ),
    ).toEqual({
      copyright: { text: '© Ada & Co', flagged: true, url: 'https://example.com/' },
      creation: '2021:07:04 18:30:15+02:00',
    })
  })

  it('reads properties as attributes', () => {
    expect(
      read(
        packet('', `dc:rights='Ada' xmpRights:Marked="true" xmpRights:WebStatement="u" xmp:CreateDate="2021-07-04"`),
      ),
    ).toEqual({ copyright: { text: 'Ada', flagged: true, url: 'u' }, creation: '2021:07:04' })
  })

  it('reads a place', () => {
    const place = `exif:GPSLatitude="48,51.504N" exif:GPSLongitude="2,17.67E" xmlns:exif="http://ns.adobe.com/exif/1.0/"`
    expect(read(packet('', place))).toEqual({
      location: {
        latitudeRef: 'N',
        latitude: [[48, 1], [51_504, 1000], [0, 1]],
        longitudeRef: 'E',
        longitude: [[2, 1], [1767, 100], [0, 1]],
      },
    }) // prettier-ignore
  })

  it('takes a mark only where it is set', () => {
    expect(read(packet('<xmpRights:Marked>False</xmpRights:Marked>'))).toEqual({})
    expect(read(packet('<xmpRights:Marked>yes</xmpRights:Marked>'))).toEqual({})
  })

  it('follows namespaces, not prefixes', () => {
    const renamed = packet('<dc:rights>Ada</dc:rights>').replaceAll('dc:', 'd:').replace('xmlns:d:', 'xmlns:dc:')
    expect(read(renamed.replace('xmlns:dc', 'xmlns:d'))).toEqual({ copyright: { text: 'Ada' } })
    expect(read(packet('<dc:rights>Ada</dc:rights>').replace('http://purl.org', 'http://example.org'))).toEqual({})
  })

  it('prefers the default language, else the first', () => {
    expect(read(list('de', 'x-default')).copyright?.text).toBe('two')
    expect(read(list('x-default', 'de')).copyright?.text).toBe('one')
    expect(read(list('de', 'fr')).copyright?.text).toBe('one')
  })

  it('leaves out what is about other files', () => {
    const ingredient = '<rdf:Description><dc:rights>other</dc:rights></rdf:Description>'
    expect(
      read(packet(`<xmp:Ingredients><rdf:Bag><rdf:li>${ingredient}</rdf:li></rdf:Bag></xmp:Ingredients>`)),
    ).toEqual({})
    expect(read(packet(`<dc:relation rdf:parseType="Resource"><dc:rights>other</dc:rights></dc:relation>`))).toEqual({})
  })

  it('never resolves entities', () => {
    expect(read(`<!DOCTYPE x [<!ENTITY e "boom">]>${packet('<dc:rights>&e;</dc:rights>')}`)).toEqual({})
    expect(read(packet('<dc:rights>&e;</dc:rights><xmpRights:Marked>True</xmpRights:Marked>'))).toEqual({
      copyright: { flagged: true },
    })
  })

  it('is bounded in depth and length', () => {
    const deep = '<x>'.repeat(100) + '</x>'.repeat(100)
    expect(read(packet(`${deep}<dc:rights>Ada</dc:rights>`))).toEqual({})
    expect(read(packet(`<dc:rights>${'a'.repeat(40_000)}</dc:rights>`))).toEqual({})
    expect(read(packet(`${' '.repeat(2 << 20)}<dc:rights>Ada</dc:rights>`))).toEqual({})
  })

  it('takes what comes in front of a malformed part', () => {
    const [start = ''] = packet('<dc:rights>Ada</dc:rights><xmpRights:Marked>True').split('</rdf:Description>')
    expect(read(start)).toEqual({ copyright: { text: 'Ada' } })
  })
})
