/** The types that the interface reads and writes. A service may know more, so any MIME type is accepted. */
export type ImageType = 'image/avif' | 'image/webp' | 'image/jpeg' | 'image/png' | 'image/jxl' | (string & {})

/**
 * `scale` takes exactly one dimension; `fit` stays inside both; `cover` crops to exactly both; `thumb` is `cover` that
 * keeps free-standing objects whole. Dimensions are pixels, whole numbers of at least 1. Nothing is ever scaled up.
 */
export type ResizeCommand =
  | { method: 'scale'; width: number; height?: never }
  | { method: 'scale'; height: number; width?: never }
  | { method: 'fit' | 'cover' | 'thumb'; width: number; height: number }

/** One type is a demand; of a list, or of the wildcard (every type), the smallest result wins. */
export interface ConvertCommand {
  type: ImageType | '*/*' | readonly (ImageType | '*/*')[]
}

/** Fills transparent pixels. */
export interface TransformCommand {
  background: `#${string}` | 'white' | 'black'
}

/** Metadata that can be kept. Only servers of pixpress know `provenance`. */
export type PreserveItem = 'copyright' | 'creation' | 'location' | 'provenance'

/** An object storage of the S3 type. */
export interface S3StoreCommand {
  service: 's3'
  aws_access_key_id: string
  aws_secret_access_key: string
  region: string
  /** `<bucket>/<path>/<filename>` */
  path: string
  headers?: Readonly<Record<string, string>>
  /** Default `public-read`; `no-acl` sends none. */
  acl?: string
}

/** A bucket of Google Cloud Storage. */
export interface GcsStoreCommand {
  service: 'gcs'
  gcp_access_token: string
  /** `<bucket>/<path>/<filename>` */
  path: string
  headers?: Readonly<Record<string, string>>
}

/** Store commands by service. A service that knows other kinds of storage can be typed by adding to this interface. */
export interface StoreCommands {
  s3: S3StoreCommand
  gcs: GcsStoreCommand
}

/** A store command of any service. */
export type StoreCommand = StoreCommands[keyof StoreCommands]

/**
 * The operations on an uploaded image, all in one request. The service resizes, fills, converts, adds metadata and
 * stores, in that order. Resizing, converting and storing cost one compression each.
 */
export interface Commands {
  readonly resize?: ResizeCommand
  readonly convert?: ConvertCommand
  readonly transform?: TransformCommand
  readonly preserve?: readonly PreserveItem[]
  readonly store?: StoreCommand
}
