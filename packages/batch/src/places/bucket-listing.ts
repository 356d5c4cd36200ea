/** An object as a listing has it. */
export interface ListedObject {
  readonly key: string
  /** Bytes. */
  readonly size: number
  /** The ETag, without its quotes. */
  readonly version: string
}

/** Returns the objects of a page of a listing (docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html). */
export function listedObjects(xml: string): ListedObject[] {
  return [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, object = '']) => ({
    key: decoded(element(object, 'Key') ?? ''),
    size: Number(element(object, 'Size')),
    version: unescaped(element(object, 'ETag') ?? '').replaceAll('"', ''),
  }))
}

/** Returns where the next page begins; `undefined` after the last. */
export function nextToken(xml: string): string | undefined {
  const token = element(xml, 'NextContinuationToken')
  return token === undefined ? undefined : unescaped(token)
}

const element = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]

/** Keys were asked for with `encoding-type=url`, as XML does not take every character. */
const decoded = (text: string): string => decodeURIComponent(unescaped(text).replaceAll('+', '%20'))

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#34': '"' }

const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|apos|#34);/g, (_, name: string) => ENTITIES[name]!)
