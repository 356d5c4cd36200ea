import { describe, expect, it } from 'vitest'
import { parseQuery, splitAlternatives } from '../../src/directives/query.ts'

const directivesOf = (query: string): Record<string, readonly string[]> =>
  Object.fromEntries(parseQuery(query).directives)

describe('parseQuery', () => {
  it.each([
    ['nothing', ''],
    ['a bare question mark', '?'],
    ["Vite's flags", '?url&no-inline'],
    ['what bundlers add', '?import&t=1700000000000&v=abc123&used'],
    ['a date for caches', '?20240101'],
    ['a version for caches', '?4.7.0'],
    ['a date with dashes', '?2024-01-01'],
    ['a flag of a foreign plugin', '?react'],
    ['another', '?component'],
    ['another', '?svgr'],
    ['a foreign parameter', '?foo'],
    ['a foreign parameter with a value', '?foo=bar&x=1&id=7'],
    ['a word near a directive, but without a value', '?presets'],
    ['a plugin with the same directives', '?enhanced&w=300;600'],
    ["Astro's", '?astroContentImageFlag=&importer=a.md&w=300'],
    ['the virtual modules of CommonJS', '?commonjs-proxy'],
    ["Astro's own of an image in dev", '?origWidth=240&origHeight=180&origFormat=png'],
    ['one of them', '?origFormat=png'],
    ['a parameter like a directive beside a foreign one', '?width=200&token=abc'],
    ["another plugin's mark beside directives", '?w=300&jsx'],
    ['the same', '?w=100&react'],
    ['the same', '?jsx&w=24&h=24&format=webp'],
    ['a word that is a directive only with a value', '?lqip'],
    ['the same beside directives', '?w=100&lqip'],
    ['the same with a flag', '?url&w=100&component'],
  ])('leaves %s alone: %s', (_, query) => {
    expect(parseQuery(query)).toMatchObject({ directives: new Map(), hasDirectives: false })
  })

  it.each([
    ['?w=300', { w: ['300'] }],
    ['w=300', { w: ['300'] }],
    ['?w=500;900;1200&avif&metadata', { w: ['500', '900', '1200'], format: ['avif'], as: ['metadata'] }],
    ['?picture', { as: ['picture'] }],
    ['?srcset&w=300', { as: ['srcset'], w: ['300'] }],
    ['?metadata=width;height', { as: ['meta:width;height'] }],
    ['?w=300&h=200&contain&right%20top', { w: ['300'], h: ['200'], fit: ['contain'], position: ['right top'] }],
    ['?w=300&jpg', { w: ['300'], format: ['jpg'] }],
    ['?w=200;400&format=avif;webp', { w: ['200', '400'], format: ['avif', 'webp'] }],
    ['?w=200%3B400', { w: ['200', '400'] }],
    ['?w=200&h=100&w=400', { w: ['200', '400'], h: ['100'] }],
    ['?w=200; 400', { w: ['200', '400'] }],
    ['?w=', { w: [''] }],
    ['?as=meta:width;height', { as: ['meta:width;height'] }],
    ['?background=#ffffff&w=3', { background: ['#ffffff'], w: ['3'] }],
    ['?background=%23ffffff', { background: ['#ffffff'] }],
    ['?preserve=copyright,location', { preserve: ['copyright,location'] }],
    ['?w=300&import&t=1&v=2&used&__hmr=1&vue&html-proxy', { w: ['300'] }],
    ['?url&w=300&inline', { w: ['300'] }],
    ['?width=300&height=200', { w: ['300'], h: ['200'] }],
    ['?width=300;600&as=srcset&w=900', { w: ['300', '600', '900'], as: ['srcset'] }],
  ])('reads %s', (query, directives) => {
    expect(directivesOf(query)).toEqual(directives)
    expect(parseQuery(query).hasDirectives).toBe(true)
  })

  it('keeps the order of the query', () => {
    expect([...parseQuery('?format=avif&h=3&w=2&format=webp').directives.keys()]).toEqual(['format', 'h', 'w'])
  })

  it.each([
    ['?widht=300', 'widht'],
    ['?fromat=webp', 'fromat'],
    ['?qualty=50', 'qualty'],
    ['?presett=hero', 'presett'],
    ['?basepixels=200', 'basepixels'],
    ['?W=300', 'W'],
    ['?blur=5', 'blur'],
    ['?grayscale', 'grayscale'],
    ['?w=300&fromat=webp', 'fromat'],
    ['?w=300&orignal', 'orignal'],
    ['?w=300&foo=1', 'foo'],
    ['?widht=300&fromat=webp', 'fromat'],
    ['?withoutEnlargement', 'withoutEnlargement'],
  ])('keeps what has to be refused: %s', (query, name) => {
    expect(parseQuery(query).hasDirectives).toBe(true)
    expect(directivesOf(query)).toHaveProperty(name)
  })

  const none = { raw: false, url: false, inline: undefined, original: false }
  it.each([
    ['', none],
    ['?raw', { ...none, raw: true }],
    ['?url', { ...none, url: true }],
    ['?url=foo&raw=1', none],
    ['?inline', { ...none, inline: true }],
    ['?no-inline', { ...none, inline: false }],
    ['?inline&no-inline', { ...none, inline: false }],
    ['?original', { ...none, original: true }],
    ['?original=true', { ...none, original: true }],
    ['?w=300&url&inline', { ...none, url: true, inline: true }],
  ])('knows the flags of %s', (query, flags) => {
    expect(parseQuery(query)).toMatchObject(flags)
  })
})

describe('splitAlternatives', () => {
  it.each([
    ['200', ['200']],
    ['200;400', ['200', '400']],
    [' avif ; webp ', ['avif', 'webp']],
    ['200;', ['200', '']],
    ['meta:width;height', ['meta:width;height']],
  ])('splits %j', (value, alternatives) => {
    expect(splitAlternatives(value)).toEqual(alternatives)
  })
})
