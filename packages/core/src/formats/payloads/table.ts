/**
 * Files that carry more than pixels. Each row says where a payload stands, how it is recognised, and what happens to
 * it. docs/payloads.md is made from these rows.
 */
import type { InputType } from '../../base/types.ts'
import { morePictures } from '../jpeg/more-pictures.ts'
import { endsAsZip, hasGeoKeys, hasMotion, hasPrompt, holds, isCartridge, isForPrint, mentions } from './recognise.ts'

/** A place that a payload stands in, and the mark by which it is known there. */
export type Place =
  /** Text chunks of a PNG, by their keywords. */
  | { readonly in: 'png-text'; readonly keywords: readonly string[] }
  /** Chunks of a PNG that belong to one program, by their types. */
  | { readonly in: 'png-chunk'; readonly types: readonly string[] }
  /** Parts of an SVG's text from one mark to another, if they hold one of some words. */
  | { readonly in: 'svg'; readonly from: string; readonly to: string; readonly holds?: readonly string[] }
  /** Properties of XMP, by their namespace. */
  | { readonly in: 'xmp'; readonly namespace: string }
  /** Anything else, which only the whole file keeps. */
  | { readonly in: 'file'; readonly types: readonly InputType[]; readonly isThere: (source: Uint8Array) => boolean }

/** A payload of files. */
export interface Payload {
  /** Its name in a sentence: `Its draw.io diagram is left out`. */
  readonly name: string
  /** Where it stands, in Markdown. */
  readonly where: string
  readonly places: readonly Place[]
  /**
   * The part that a result of the same type has without being asked: `kept`, the payload; `whole`, every byte of the
   * source; `named`, a note that it is left out.
   */
  readonly builds: 'kept' | 'whole' | 'named'
  /** Another note tells that it is left out. */
  readonly isTold?: true
  /** `compress` in place keeps every pixel of such a file. */
  readonly exact?: true
  /** Why, in Markdown. */
  readonly reason: string
}

const GOOGLE = 'http://ns.google.com/photos/1.0/'

/** Every payload that is known. */
export const PAYLOADS: readonly Payload[] = [
  {
    name: 'draw.io diagram',
    where: 'PNG text `mxfile`, `mxGraphModel`. SVG keeps it in an attribute, which nothing removes',
    places: [{ in: 'png-text', keywords: ['mxfile', 'mxGraphModel'] }],
    builds: 'named',
    exact: true,
    reason: 'The picture is an export of it, and only the payload can be edited',
  },
  {
    name: 'Excalidraw scene',
    where: 'PNG text `application/vnd.excalidraw+json`, SVG comments from `payload-type` to `payload-end`',
    places: [
      { in: 'png-text', keywords: ['application/vnd.excalidraw+json', 'application/vnd.excalidraw.clipboard+json'] },
      { in: 'svg', from: '<!-- payload-type:application/vnd.excalidraw+json', to: '<!-- payload-end -->' },
    ],
    builds: 'named',
    exact: true,
    reason: 'The picture is an export of it, and only the payload can be edited',
  },
  {
    name: 'tldraw drawing',
    where: 'PNG text `tldraw`, as plugins of editors write it',
    places: [{ in: 'png-text', keywords: ['tldraw', 'tldr', 'application/vnd.tldraw+json'] }],
    builds: 'named',
    exact: true,
    reason: 'The picture is an export of it. The editor itself writes none into pictures',
  },
  {
    name: 'PlantUML source',
    where: 'PNG text `plantuml`, SVG `<?plantuml-src …?>` and `<!--SRC=[…]-->`',
    places: [
      { in: 'png-text', keywords: ['plantuml'] },
      { in: 'svg', from: '<?plantuml-src ', to: '?>' },
      { in: 'svg', from: '<!--SRC=[', to: ']-->' },
    ],
    builds: 'named',
    exact: true,
    reason: 'The picture is made from it, and often nothing else has it',
  },
  {
    name: 'Fireworks document',
    where: 'PNG chunks `prVW`, `mkBF`, `mkBS`, `mkBT`, `mkTS`',
    places: [{ in: 'png-chunk', types: ['prVW', 'mkBF', 'mkBS', 'mkBT', 'mkTS'] }],
    builds: 'named',
    exact: true,
    reason: 'Layers and vectors of the editor stand in the file itself',
  },
  {
    name: 'Illustrator document',
    where: 'SVG element of Illustrator (`adobe_illustrator_pgf`)',
    places: [
      {
        in: 'file',
        types: ['image/svg+xml'],
        isThere: (source) => holds(source, '"adobe_illustrator_pgf"'),
      },
    ],
    builds: 'named',
    reason: 'The whole document of the editor stands in the file',
  },
  {
    name: 'molecule',
    where: 'PNG texts of RDKit: `rdkitPKL`, `MOL`, `SMILES`, `rdkitReactionPKL`, `ReactionSmarts`',
    places: [
      {
        in: 'png-text',
        keywords: ['rdkitPKL rdkit', 'MOL rdkit', 'SMILES rdkit', 'rdkitReactionPKL', 'ReactionSmarts'],
      },
    ],
    builds: 'named',
    exact: true,
    reason: 'Programs of chemistry read the structure from its picture',
  },
  {
    name: 'character card',
    where: 'PNG texts `chara`, `ccv3`',
    places: [{ in: 'png-text', keywords: ['chara', 'ccv3'] }],
    builds: 'kept',
    reason: 'Pages offer such pictures for download, and without the text they are no cards',
  },
  {
    name: 'prompt of its image generator',
    where:
      'PNG texts `parameters`, `workflow`, `prompt`, `invokeai_metadata`, `sd-metadata`, `Dream`; EXIF of JPEG and WebP',
    places: [
      {
        in: 'png-text',
        keywords: [
          'parameters',
          'workflow',
          'prompt',
          'invokeai_metadata',
          'invokeai_workflow',
          'invokeai_graph',
          'sd-metadata',
          'Dream',
        ],
      },
      { in: 'file', types: ['image/jpeg', 'image/webp'], isThere: hasPrompt },
    ],
    builds: 'named',
    reason:
      'It makes the picture again. It may be hundreds of kilobytes, and private, so that a site has no use for it',
  },
  {
    name: 'projection as a panorama',
    where: 'XMP of Google (`GPano`)',
    places: [{ in: 'xmp', namespace: `${GOOGLE}panorama/` }],
    builds: 'kept',
    reason: 'Viewers in pages read from it how to project the picture. Its pixel counts follow a resize',
  },
  {
    name: 'Creative Commons licence',
    where: 'RDF: `<metadata>` of SVG, XMP (`cc`)',
    places: [
      { in: 'xmp', namespace: 'http://creativecommons.org/ns#' },
      { in: 'svg', from: '<metadata', to: '</metadata>', holds: ['<cc:license', '<cc:License'] },
    ],
    builds: 'named',
    reason: 'Most of these licences require that they stay with the work. A page states its licence itself',
  },
  {
    name: 'game cartridge',
    where: 'PNG of 160×205 pixels with transparency (PICO-8): the lowest two bits of each sample',
    places: [{ in: 'file', types: ['image/png'], isThere: isCartridge }],
    builds: 'whole',
    reason: 'The game is stored in the pixels, the transparent ones included',
  },
  {
    name: 'game cartridge',
    where: 'PNG chunk `caRt` (TIC-80)',
    places: [{ in: 'png-chunk', types: ['caRt'] }],
    builds: 'kept',
    exact: true,
    reason: 'Pages offer such pictures for download',
  },
  {
    name: 'nine-patch of Android',
    where: 'PNG chunks `npTc`, `npLb`, `npOl`',
    places: [{ in: 'png-chunk', types: ['npTc', 'npLb', 'npOl'] }],
    builds: 'kept',
    exact: true,
    reason: 'It says which parts of the picture stretch',
  },
  {
    name: 'depth map',
    where: 'XMP of Google (`GDepth`, dynamic depth)',
    places: [
      { in: 'file', types: ['image/jpeg'], isThere: (source) => mentions(source, `${GOOGLE}depthmap/`) },
      {
        in: 'file',
        types: ['image/jpeg'],
        isThere: (source) => mentions(source, 'http://ns.google.com/photos/dd/1.0/'),
      },
    ],
    builds: 'named',
    reason: 'It is larger than the picture, and holds for its exact pixels',
  },
  {
    name: 'stereo picture or sound',
    where: 'XMP of Google (`GImage`, `GAudio`)',
    places: [
      { in: 'file', types: ['image/jpeg'], isThere: (source) => mentions(source, `${GOOGLE}image/`) },
      { in: 'file', types: ['image/jpeg'], isThere: (source) => mentions(source, `${GOOGLE}audio/`) },
    ],
    builds: 'named',
    reason: 'It stands in XMP, is larger than the picture, and no browser shows it',
  },
  {
    name: 'second picture',
    where: 'JPEG with a list of pictures (MPO): the other eye, depth, other exposures',
    places: [{ in: 'file', types: ['image/jpeg'], isThere: (source) => morePictures(source).others > 0 }],
    builds: 'named',
    isTold: true,
    reason: 'No browser shows it',
  },
  {
    name: 'motion',
    where: 'a video behind JPEG: `MicroVideo`, `MotionPhoto`, a trailer of Samsung',
    places: [{ in: 'file', types: ['image/jpeg'], isThere: hasMotion }],
    builds: 'named',
    reason: 'It is a video of megabytes, which no browser plays from there',
  },
  {
    name: 'archive behind the picture',
    where: 'a ZIP file behind PNG, JPEG, GIF, WebP',
    places: [{ in: 'file', types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'], isThere: endsAsZip }],
    builds: 'named',
    reason: 'It was appended on purpose',
  },
  {
    name: 'map position or slide scale',
    where: 'TIFF keys of GeoTIFF, GDAL, NDPI',
    places: [{ in: 'file', types: ['image/tiff'], isThere: hasGeoKeys }],
    builds: 'named',
    reason: 'A TIFF stays unchanged. A conversion leaves the keys out',
  },
  {
    name: 'colour space for print',
    where: 'JPEG of four components (CMYK), or with the profile of a printer',
    places: [{ in: 'file', types: ['image/jpeg'], isThere: isForPrint }],
    builds: 'named',
    reason: 'Presses need the inks that were chosen. Screens show the picture in sRGB',
  },
]
