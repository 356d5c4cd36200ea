import type { Flag } from '@pixpress/core/internal'

/** The name of a flag of the delivery without its dashes. */
export type DeliveryFlagName =
  | 'delivery-key'
  | 'delivery-source'
  | 'delivery-preset'
  | 'delivery-widths'
  | 'delivery-max-age'
  | 'delivery-cache'

/** The default widths, which `@pixpress/client/delivery` has as well: those of next/image and @nuxt/image and more. */
export const DELIVERY_WIDTHS: string =
  '16,32,48,64,96,128,256,320,384,480,640,750,768,828,960,1024,1080,1200,1280,1536,1600,1668,1920,2048,2560,3072,3200,3840'

/** The flags of the delivery, in the order of the help. */
export const DELIVERY_FLAGS: Readonly<
  Record<DeliveryFlagName, Flag & { readonly value: string; readonly variable: string }>
> = {
  'delivery-key': {
    variable: 'PIXPRESS_DELIVERY_KEYS',
    value: 'KEY',
    description: 'key that signs URLs of pictures at /i; without one nothing is delivered; may be repeated',
    several: true,
  },
  'delivery-source': {
    variable: 'PIXPRESS_DELIVERY_SOURCES',
    value: 'NAME=PLACE',
    description: 'where originals are: a folder, an http(s) URL, or s3:https://<endpoint>/<bucket>; may be repeated',
    several: true,
  },
  'delivery-preset': {
    variable: 'PIXPRESS_DELIVERY_PRESETS',
    value: 'NAME=OPERATIONS',
    description: 'operations with a name, as they stand in a URL; may be repeated',
    several: true,
  },
  'delivery-widths': {
    variable: 'PIXPRESS_DELIVERY_WIDTHS',
    value: 'PIXELS',
    description: 'widths that a signed template may be filled with; default: 28 from 16 to 3840',
  },
  'delivery-max-age': {
    variable: 'PIXPRESS_DELIVERY_MAX_AGE',
    value: '1d',
    description: 'time that caches keep a picture, and until its source is looked at again',
  },
  'delivery-cache': {
    variable: 'PIXPRESS_DELIVERY_CACHE',
    value: '5GB',
    description: 'bytes of delivered pictures kept in the data folder',
  },
}
