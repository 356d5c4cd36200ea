import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import * as exifFiles from './exif-files.ts'
import { graphic, photo } from './images.ts'

const { exif, exifSegment, inJpeg, inPng, pngChunk } = exifFiles

/** A file with a payload, and a test of whether a file still has it. */
export interface PayloadSample {
  readonly name: string
  readonly data: Buffer
  readonly isThere: (data: Uint8Array) => boolean
}

const LONG = 'source '.repeat(40)
const text = (keyword: string, value = LONG): Buffer => pngChunk('tEXt', Buffer.from(`${keyword}\0${value}`, 'latin1'))
const zipped = (keyword: string): Buffer =>
  pngChunk('zTXt', Buffer.concat([Buffer.from(`${keyword}\0\0`), deflateSync(Buffer.from(LONG))]))
const international = (keyword: string, value = LONG): Buffer =>
  pngChunk('iTXt', Buffer.concat([Buffer.from(`${keyword}\0\0\0\0\0`), Buffer.from(value)]))

const xmp = (attributes: string): string =>
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  `<rdf:Description rdf:about="" ${attributes}/></rdf:RDF></x:xmpmeta>`
const xmpSegment = (attributes: string): Buffer =>
  exifSegment(Buffer.from(`http://ns.adobe.com/xap/1.0/\0${xmp(attributes)}`), '')

/** Attributes of a panorama of 160 by 80 pixels, of which a part is there. */
const GPANO: string =
  'xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" GPano:ProjectionType="equirectangular" ' +
  'GPano:FullPanoWidthPixels="320" GPano:FullPanoHeightPixels="160" GPano:CroppedAreaImageWidthPixels="160" ' +
  'GPano:CroppedAreaImageHeightPixels="80" GPano:CroppedAreaLeftPixels="80" GPano:CroppedAreaTopPixels="40"'
const CC = 'xmlns:cc="http://creativecommons.org/ns#" cc:license="https://creativecommons.org/licenses/by/4.0/"'

const SVG_LICENCE =
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" ' +
  'xmlns:cc="http://creativecommons.org/ns#" viewBox="0 0 100 100">\n  <!-- made by hand, with many words -->\n' +
  '  <metadata>\n    <rdf:RDF>\n      <cc:Work rdf:about=""><cc:license ' +
  'rdf:resource="http://creativecommons.org/licenses/by-sa/4.0/"/></cc:Work>\n    </rdf:RDF>\n  </metadata>\n' +
  '  <g id="layer">\n    <rect x="10.0000" y="10.0000" width="80.0000" height="80.0000" style="fill:#ff0000"/>\n  </g>\n</svg>'

const drawn = (payload: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">\n  <!-- made by hand, with many words -->\n${payload}\n` +
  '  <g>\n    <rect x="10.0000" y="10.0000" width="80.0000" height="80.0000" style="fill:#ff0000"/>\n  </g>\n</svg>'

/** An empty ZIP file with a comment. */
const ZIP = Buffer.concat([
  Buffer.from('PK\x03\x04 entry ', 'latin1'),
  Buffer.from('PK\x05\x06', 'latin1'),
  Buffer.alloc(16),
  Buffer.from([3, 0]),
  Buffer.from('end'),
])

const has =
  (needle: string) =>
  (data: Uint8Array): boolean =>
    Buffer.from(data).includes(Buffer.from(needle, 'latin1'))

const whole =
  (data: Buffer) =>
  (other: Uint8Array): boolean =>
    data.equals(other)

const ofFile = (name: string, data: Buffer, needle: string): PayloadSample => ({ name, data, isThere: has(needle) })

/** One file or more for every row of the table, by the row's name. */
export async function payloadSamples(): Promise<PayloadSample[]> {
  const png = await graphic(160, 120).png()
  const jpeg = await photo(160, 80, 3).jpeg()
  const webp = await sharp(png).webp({ quality: 95 }).toBuffer()
  const gif = await sharp(png).gif({ effort: 1 }).toBuffer()
  const cartridge = await sharp(await photo(160, 205, 5).png())
    .ensureAlpha(0.996)
    .png({ compressionLevel: 0 })
    .toBuffer()
  const inked = await sharp(jpeg).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()
  const ofPng = (name: string, ...chunks: Buffer[]): PayloadSample => ({
    name,
    data: inPng(png, ...chunks),
    isThere: (data) => chunks.every((chunk) => Buffer.from(data).includes(chunk)),
  })
  const comment = exif('II', [
    {
      tag: 0x9286,
      type: exifFiles.TYPE.undefined,
      values: [...Buffer.from('ASCII\0\0\0a cat Steps: 20, Sampler: Euler')],
      in: 'exif',
    },
  ])
  const model = exif('II', [
    { tag: 0x0110, type: exifFiles.TYPE.ascii, values: [...Buffer.from('workflow:{"nodes":[]}\0')] },
  ])
  return [
    ofPng('draw.io diagram', text('mxfile', '%3Cmxfile%3E')),
    ofPng('draw.io diagram', zipped('mxfile')),
    ofPng('Excalidraw scene', text('application/vnd.excalidraw+json')),
    ofFile(
      'Excalidraw scene',
      Buffer.from(
        drawn(
          '<metadata><!-- payload-type:application/vnd.excalidraw+json --><!-- payload-version:2 --><!-- payload-start -->eyJ0==<!-- payload-end --></metadata>',
        ),
      ),
      'payload-start -->eyJ0==<!-- payload-end',
    ),
    ofPng('tldraw drawing', text('tldraw')),
    ofPng('PlantUML source', international('plantuml')),
    ofFile(
      'PlantUML source',
      Buffer.from(drawn('<?plantuml-src SoWkIImgAStDuNBA?>')),
      '<?plantuml-src SoWkIImgAStDuNBA?>',
    ),
    ofFile('PlantUML source', Buffer.from(drawn('<!--SRC=[SoWkIImgAStD]-->')), '<!--SRC=[SoWkIImgAStD]-->'),
    ofFile(
      'Illustrator document',
      Buffer.from(drawn('<metadata><ref id="adobe_illustrator_pgf">eJzsvQ==</ref></metadata>')),
      'eJzsvQ==',
    ),
    ofPng('Fireworks document', pngChunk('prVW', Buffer.from('preview')), pngChunk('mkBS', Buffer.from(LONG))),
    ofPng('molecule', text('rdkitPKL rdkit 2024.03.1'), text('SMILES rdkit 2024.03.1', 'CCO')),
    ofPng('character card', text('chara', Buffer.from('{"name":"Ada"}').toString('base64'))),
    ofPng('character card', text('ccv3', Buffer.from('{"name":"Ada"}').toString('base64'))),
    ofPng('prompt of its image generator', text('parameters', 'a cat\nSteps: 20')),
    ofPng('prompt of its image generator', text('workflow', '{}'), text('prompt', '{}')),
    ofFile('prompt of its image generator', inJpeg(jpeg, exifSegment(comment)), 'Sampler: Euler'),
    ofFile(
      'prompt of its image generator',
      exifFiles.inWebp(webp, { width: 160, height: 120 }, model),
      'workflow:{"nodes"',
    ),
    ofFile('projection as a panorama', inJpeg(jpeg, xmpSegment(GPANO)), 'GPano:FullPanoWidthPixels="320"'),
    ofPng('projection as a panorama', international('XML:com.adobe.xmp', xmp(GPANO))),
    ofFile(
      'Creative Commons licence',
      inJpeg(jpeg, xmpSegment(CC)),
      'cc:license="https://creativecommons.org/licenses/by/4.0/"',
    ),
    ofFile('Creative Commons licence', Buffer.from(SVG_LICENCE), 'http://creativecommons.org/licenses/by-sa/4.0/'),
    { name: 'game cartridge', data: cartridge, isThere: whole(cartridge) },
    ofPng('game cartridge', pngChunk('caRt', Buffer.from(LONG))),
    ofPng('nine-patch of Android', pngChunk('npTc', Buffer.from(LONG))),
    ofFile(
      'depth map',
      inJpeg(jpeg, xmpSegment('xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" GDepth:Data="iVBOR"')),
      'GDepth:Data',
    ),
    ofFile(
      'stereo picture or sound',
      inJpeg(jpeg, xmpSegment('xmlns:GAudio="http://ns.google.com/photos/1.0/audio/" GAudio:Data="AAAA"')),
      'GAudio:Data',
    ),
    { ...mpo(jpeg), name: 'second picture' },
    ofFile(
      'motion',
      Buffer.concat([
        inJpeg(jpeg, xmpSegment('xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" GCamera:MotionPhoto="1"')),
        Buffer.from('....ftypmp42 video'),
      ]),
      'ftypmp42',
    ),
    ofFile('motion', Buffer.concat([jpeg, Buffer.from('MotionPhoto_Data.... video SEFH....SEFT')]), 'MotionPhoto_Data'),
    ofFile('archive behind the picture', Buffer.concat([png, ZIP]), 'PK\x05\x06'),
    ofFile('archive behind the picture', Buffer.concat([jpeg, ZIP]), 'PK\x05\x06'),
    ofFile('archive behind the picture', Buffer.concat([gif, ZIP]), 'PK\x05\x06'),
    { name: 'colour space for print', data: inked, isThere: whole(inked) },
  ]
}

/** A file with a list of two pictures, as cameras with two lenses write it. */
function mpo(jpeg: Buffer): Omit<PayloadSample, 'name'> {
  const index = Buffer.alloc(4 + 8 + 2 + 12 + 4 + 32)
  index.write('MPF\0MM\0*', 'latin1')
  index.writeUInt32BE(8, 8)
  index.writeUInt16BE(1, 12)
  index.writeUInt16BE(0xb002, 14)
  index.writeUInt16BE(7, 16)
  index.writeUInt32BE(32, 18)
  index.writeUInt32BE(26, 22)
  const first = 4 + 26
  index.writeUInt32BE(0x020002, first + 16)
  const segment = Buffer.concat([Buffer.from([0xff, 0xe2, 0, index.length + 2]), index])
  index.writeUInt32BE(jpeg.length, first + 16 + 4)
  // Places are counted from behind the prefix.
  index.writeUInt32BE(jpeg.length + segment.length - (2 + 4 + 4), first + 16 + 8)
  const listed = Buffer.concat([Buffer.from([0xff, 0xe2, 0, index.length + 2]), index])
  const data = Buffer.concat([inJpeg(jpeg, listed), jpeg])
  return { data, isThere: (other) => data.equals(other) }
}
