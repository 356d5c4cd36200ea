import { formatBytes } from './units.ts'

/** What a build did in object storage. */
export interface StoreUsage {
  readonly service: 's3' | 'gcs'
  /** Images that were put there. */
  readonly uploaded: number
  /** Images that were there already. */
  readonly present: number
  /** Bytes that were put there. */
  readonly bytes: number
}

/** The same as the parts of a line. */
export function storeParts({ service, uploaded, present, bytes }: StoreUsage): string[] {
  return [
    service === 's3' ? 'S3' : 'Google Cloud Storage',
    `${uploaded} stored${uploaded === 0 ? '' : ` (${formatBytes(bytes)})`}`,
    ...(present > 0 ? [`${present} there already`] : []),
  ]
}
