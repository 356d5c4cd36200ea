/**
 * XMP packets: RDF in XML. Source: XMP Specification Part 1 (ISO 16684-1:2019) sections 7 and 8. Only the properties of
 * the packet's subject itself are read: those of nested structures (ingredients, history) are about other files.
 */
import { parseCreation } from './creation.ts'
import { parseLocation } from './location.ts'
import { cleanText } from './text.ts'
import type { Copyright, Metadata } from './types.ts'
import { escapeXml, scanXml, unescapeXml } from './xml-scan.ts'

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const DC = 'http://purl.org/dc/elements/1.1/'
const EXIF = 'http://ns.adobe.com/exif/1.0/'
const XMP = 'http://ns.adobe.com/xap/1.0/'
const RIGHTS = 'http://ns.adobe.com/xap/1.0/rights/'

const PROPERTIES: ReadonlySet<string> = new Set([
  `${DC}rights`,
  `${RIGHTS}Marked`,
  `${RIGHTS}WebStatement`,
  `${XMP}CreateDate`,
  `${EXIF}GPSLatitude`,
  `${EXIF}GPSLongitude`,
])

/** Bytes that are looked at. Packets are a few kilobytes; what is longer carries thumbnails or edit histories. */
const LONGEST = 1 << 20

/** The deepest nesting that is followed. */
const DEEPEST = 64

/** Reads a packet, UTF-8 as all image formats demand. Reading stops at the first thing that is not well formed. */
export function readXmp(packet: Uint8Array): Metadata {
  const values = new Map<string, string>()
  for (const [name, value] of properties(packet, (each) => PROPERTIES.has(each))) {
    const plain = unescapeXml(value)
    const clean = plain === undefined ? undefined : cleanText(plain)
    if (clean !== undefined && !values.has(name)) values.set(name, clean)
  }
  const text = values.get(`${DC}rights`)
  const marked = values.get(`${RIGHTS}Marked`)?.toLowerCase()
  const url = values.get(`${RIGHTS}WebStatement`)
  const creation = parseCreation(values.get(`${XMP}CreateDate`) ?? '')
  const location = parseLocation(values.get(`${EXIF}GPSLatitude`), values.get(`${EXIF}GPSLongitude`))
  const copyright: Copyright = {
    ...(text !== undefined && { text }),
    ...(marked === 'true' && { flagged: true }),
    ...(url !== undefined && { url }),
  }
  return {
    ...(Object.keys(copyright).length > 0 && { copyright }),
    ...(creation !== undefined && { creation }),
    ...(location !== undefined && { location }),
  }
}

/** A property of a packet: its namespace, its name there, and its plain value. */
export interface XmpProperty {
  readonly namespace: string
  readonly name: string
  readonly value: string
}

/** Reads the simple properties of a packet in one namespace, each once. */
export function readXmpProperties(packet: Uint8Array, namespace: string): XmpProperty[] {
  const found = new Map<string, string>()
  for (const [name, value] of properties(packet, (each) => each.startsWith(namespace))) {
    const plain = unescapeXml(value)
    const clean = plain === undefined ? undefined : cleanText(plain)
    if (clean !== undefined && !found.has(name)) found.set(name, clean)
  }
  return [...found].map(([name, value]) => ({ namespace, name: name.slice(namespace.length), value }))
}

/** Prefixes by which programs look for properties without reading XML. */
const PREFIXES: Readonly<Record<string, string>> = {
  'http://ns.google.com/photos/1.0/panorama/': 'GPano',
  'http://creativecommons.org/ns#': 'cc',
}

/** Writes the smallest packet of simple properties, in ASCII. */
export function buildXmp(all: readonly XmpProperty[]): string {
  const namespaces = [...new Set(all.map(({ namespace }) => namespace))]
  const prefixOf = (namespace: string): string => PREFIXES[namespace] ?? `n${namespaces.indexOf(namespace)}`
  const declared = namespaces.map((each) => ` xmlns:${prefixOf(each)}="${each}"`)
  const written = all.map(({ namespace, name, value }) => ` ${prefixOf(namespace)}:${name}="${quoted(value)}"`)
  return (
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${RDF}">` +
    `<rdf:Description rdf:about=""${declared.join('')}${written.join('')}/></rdf:RDF></x:xmpmeta>`
  )
}

const quoted = (value: string): string =>
  escapeXml(value)
    .replaceAll('"', '&quot;')
    .replaceAll(/[^\x20-\x7e]/gu, (character) => `&#${character.codePointAt(0)};`)

/** A property while its element is open. */
interface OpenProperty {
  name: string
  /** The depth of its element. */
  depth: number
  text: string
  /** The item of its list that is read or was chosen: the default language's, else the first. */
  item: { text: string; isDefault: boolean } | undefined
  collecting: boolean
}

/**
 * Yields the known properties of the packet's subject, with their raw values: attributes, elements, and lists in
 * elements.
 */
function* properties(
  packet: Uint8Array,
  isKnown: (name: string) => boolean,
): Generator<readonly [name: string, value: string], void, void> {
  const text = new TextDecoder().decode(packet.subarray(0, LONGEST))
  const namespaces = new Map<string, string>([['xml', 'xml:']])
  const path: string[] = []
  const expand = (name: string): string => {
    const colon = name.indexOf(':')
    return colon < 0 ? name : (namespaces.get(name.slice(0, colon)) ?? '') + name.slice(colon + 1)
  }
  let property: OpenProperty | undefined

  for (const token of scanXml(text)) {
    if (token.kind === 'text') {
      if (property?.collecting && property.item !== undefined) property.item.text += token.text
      else if (property?.depth === path.length) property.text += token.text
    } else if (token.kind === 'open') {
      for (const [name, value] of token.attributes) {
        if (name.startsWith('xmlns:')) namespaces.set(name.slice(6), value)
      }
      const name = expand(token.name)
      const attributes = token.attributes.map(([key, value]) => [expand(key), value] as const)
      const [parent, grandparent] = [path.at(-1), path.at(-2)]
      if (name === `${RDF}Description` && parent === `${RDF}RDF`) {
        yield* attributes.filter(([key]) => isKnown(key))
      } else if (parent === `${RDF}Description` && grandparent === `${RDF}RDF` && isKnown(name)) {
        const resource = attributes.find(([key]) => key === `${RDF}resource`)?.[1] ?? ''
        if (token.empty) yield [name, resource]
        else property = { name, depth: path.length + 1, text: resource, item: undefined, collecting: false }
      } else if (
        property !== undefined &&
        name === `${RDF}li` &&
        !token.empty &&
        property.depth + 2 === path.length + 1
      ) {
        const isDefault = attributes.some(([key, value]) => key === 'xml:lang' && value === 'x-default')
        property.collecting = property.item === undefined || (isDefault && !property.item.isDefault)
        if (property.collecting) property.item = { text: '', isDefault }
      }
      if (!token.empty) path.push(name)
      if (path.length > DEEPEST) return
    } else {
      const closed = path.pop()
      if (closed === undefined) return
      if (closed === `${RDF}li` && property !== undefined) property.collecting = false
      if (property !== undefined && path.length < property.depth) {
        yield [property.name, property.item?.text ?? property.text]
        property = undefined
      }
    }
  }
}
