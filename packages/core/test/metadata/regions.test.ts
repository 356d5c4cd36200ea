import { describe, expect, it } from 'vitest'
import { readRegions } from '../../src/metadata/regions.ts'

const packet = (list: string): Buffer =>
  Buffer.from(
    `binary\u0000<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#" rdf:about="">
<mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag>${list}</rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>
</rdf:Description></rdf:RDF></x:xmpmeta>binary`,
  )

/** Writes a region in the form of Adobe's programs. */
const asAttributes = (type: string, x: number, y: number, side: number): string =>
  `<rdf:li><rdf:Description mwg-rs:Name="Ann" mwg-rs:Type="${type}"><mwg-rs:Area stArea:x="${x}" stArea:y="${y}" stArea:w="${side}" stArea:h="${side}" stArea:unit="normalized"/></rdf:Description></rdf:li>`

/** Writes a region in the form of exiftool and Apple's programs. */
const asElements = (type: string, x: number, y: number, side: number): string =>
  `<rdf:li rdf:parseType='Resource'><mwg-rs:Area rdf:parseType='Resource'><stArea:x>${x}</stArea:x><stArea:y>${y}</stArea:y><stArea:w>${side}</stArea:w><stArea:h>${side}</stArea:h><stArea:unit>normalized</stArea:unit></mwg-rs:Area><mwg-rs:Type>${type}</mwg-rs:Type></rdf:li>`

describe('readRegions', () => {
  it.each([asAttributes, asElements])('reads a face, whoever wrote it', (write) => {
    expect(readRegions(packet(write('Face', 0.25, 0.75, 0.1)), 1)).toEqual({ focus: [0.25, 0.75], face: [0.25, 0.75] })
  })

  it('prefers the focus, and takes the middle of all faces', () => {
    const list =
      asAttributes('Face', 0.25, 0.5, 0) + asElements('Face', 0.75, 0.25, 0) + asElements('Focus', 0.125, 0.125, 0.1)
    expect(readRegions(packet(list), 1)).toEqual({ focus: [0.125, 0.125], face: [0.5, 0.375] })
  })

  it.each([
    [2, [0.75, 0.125]],
    [3, [0.75, 0.875]],
    [4, [0.25, 0.875]],
    [5, [0.125, 0.25]],
    [6, [0.875, 0.25]],
    [7, [0.875, 0.75]],
    [8, [0.125, 0.75]],
  ])('tells of the picture as it is seen with orientation %i', (orientation, focus) => {
    expect(readRegions(packet(asAttributes('Focus', 0.25, 0.125, 0)), orientation)).toEqual({ focus })
  })

  it.each([
    ['nothing', Buffer.from('no packet')],
    ['a packet that does not end', Buffer.from('<rdf:RDF><rdf:li>')],
    ['pixels instead of shares', packet(asAttributes('Face', 300, 200, 0.1))],
    ['another kind', packet(asAttributes('Barcode', 0.5, 0.5, 0.1))],
    ['what is no number', packet(asAttributes('Face', Number.NaN, 0.5, 0.1))],
  ])('gives nothing for %s', (_, data) => {
    expect(readRegions(data, 1)).toEqual({})
  })
})
