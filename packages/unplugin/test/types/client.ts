// Compiled, not run, by ../client.slow.test.ts: each line is right, or marked as the error it has to be.
/// <reference types="vite/client" />
// oxlint-disable-next-line typescript/triple-slash-reference -- a package cannot name itself in a type reference
/// <reference path="../../client.d.ts" />
import plain from './a.png'
import raw from './a.png?raw'
import inlined from './a.png?inline'
import url from './a.png?w=300&as=url'
import onlyUrl from './a.png?as=url'
import srcset from './a.png?w=300;600&as=srcset'
import onlySrcset from './a.png?as=srcset'
import img, { h, src, w } from './a.png?w=300;600&as=img'
import onlyImg from './a.png?as=img'
import picture, { img as fallback, sources } from './a.png?w=300;600&format=avif;webp;jpg&as=picture'
import onlyPicture from './a.png?as=picture'
import presetPicture from './a.png?preset=hero&as=picture'
import metadata, { format, hasAlpha, height, size, width } from './a.png?w=300&as=metadata'
import onlyMetadata from './a.png?as=metadata'
import meta from './a.png?w=300&as=meta'
import onlyMeta from './a.png?as=meta'
import original from './a.png?original'
import originalUrl from './a.png?url&original'
import untagged from './a.png?w=300'
import ordered from './a.png?format=webp&w=640'
import several from './a.png?w=320;640'
import formats from './a.png?w=640&format=avif;webp'
import placeholder from './a.png?w=300&lqip=thumbhash&as=img'
// @ts-expect-error an ending that is not declared
import preset from './a.png?preset=hero'
// @ts-expect-error a picture has no such export
import { srcset as missing } from './a.png?w=300&as=picture'

export const strings: string[] = [
  plain,
  raw,
  inlined,
  url,
  onlyUrl,
  srcset,
  onlySrcset,
  src,
  untagged,
  ordered,
  original,
  originalUrl,
]
export const numbers: number[] = [w, h, width, height, size, img.w, fallback.h, onlyMetadata.size, meta.width]
export const images: Pixpress.Img[] = [img, onlyImg]
export const pictures: Pixpress.Picture[] = [picture, onlyPicture, presetPicture, { sources, img: fallback }]
export const all: Pixpress.Metadata[] = [metadata, onlyMetadata, meta, onlyMeta]
export const webp: boolean = format === 'webp' && hasAlpha
export const maybe: (string | undefined)[] = [img.srcset, placeholder.placeholder, placeholder.color, placeholder.hash]
export const lists: string[][] = [several, formats]
// @ts-expect-error a srcset is there only for several images
export const certain: string = img.srcset
// @ts-expect-error a URL is a string
export const wrong: number = url
// @ts-expect-error a picture is not a URL
export const address: string = picture
export const unused: unknown[] = [preset, missing]
