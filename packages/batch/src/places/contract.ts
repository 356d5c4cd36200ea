/** An image of a listing: what is worked on, and by what it is known again. */
export interface ListedImage {
  /** Path below the source, with forward slashes; the result is put under it, with the extension of its type. */
  readonly key: string
  /** Where it is read, if a manifest says so: a path, an `s3://` or an `http` URL. Default: below the source. */
  readonly source?: string | undefined
  /** Bytes; `undefined` where a listing does not say. */
  readonly size?: number | undefined
  /** A text that changes with the bytes: the ETag, or a file's time. `undefined` where a listing does not say. */
  readonly version?: string | undefined
}

/** The bytes of an image, with the version that was read. */
export interface ReadImage {
  readonly bytes: Uint8Array
  readonly version: string | undefined
}

/** Why a listed image cannot be worked on: it is another one by now, or there is none. */
export type Missing = 'changed' | 'gone'

/** Where images come from. */
export interface Source {
  /** The name in messages and records, without credentials. */
  readonly name: string
  /** Lists the images, in the same order each time. @throws PixpressError */
  list(): AsyncIterable<ListedImage>
  /**
   * Reads an image that is still as it was listed.
   * @param most bytes that it may have
   * @throws PixpressError `INPUT_TOO_LARGE`, `IO_FAILED` of this image, `STORE_FAILED` or `MACHINE_UNFIT` of all
   */
  read(image: ListedImage, most: number): Promise<ReadImage | Missing>
}

/** Where results and records go. All methods throw PixpressError `STORE_FAILED`, `IO_FAILED` or `MACHINE_UNFIT`. */
export interface Destination {
  /** The name in messages and records, without credentials. */
  readonly name: string
  /** Stores an object whole or not at all; one that is there already stays as it is. */
  create(key: string, object: StoredObject): Promise<'created' | 'present'>
  /** The same in the place of what is there. */
  replace(key: string, object: StoredObject): Promise<void>
  /** Tells whether an object has just these bytes. */
  holds(key: string, bytes: Uint8Array): Promise<boolean>
  /** Returns `undefined` where there is none. @param most bytes from the beginning; default: all */
  get(key: string, most?: number): Promise<Uint8Array | undefined>
  /** Lists the keys below a folder. @param folder ends with a slash */
  keys(folder: string): AsyncIterable<string>
}

/** An object with its MIME type. */
export interface StoredObject {
  readonly bytes: Uint8Array
  readonly type: string
}
