import type { RemoteAccount } from './client.ts'

/** A source at the service, which belongs to the key it was uploaded with. */
export interface Upload {
  readonly account: RemoteAccount
  /** URL of the output, as soon as the service has answered. */
  readonly url: Promise<string>
}

/** Uploads by the digest of their source: several variants of an image are made from one upload. */
export interface Uploads {
  of(digest: string): Upload | undefined
  /** Keeps an upload for the next variants, unless it fails. */
  keep(digest: string, upload: Upload): void
  forget(isOver: (upload: Upload) => boolean): void
}

/** Creates an empty list of uploads. */
export function createUploads(): Uploads {
  const uploads = new Map<string, Upload>()
  const forget = (isOver: (upload: Upload) => boolean): void => {
    for (const [digest, upload] of uploads) if (isOver(upload)) uploads.delete(digest)
  }
  return {
    of: (digest) => uploads.get(digest),
    keep(digest, upload) {
      uploads.set(digest, upload)
      upload.url.catch(() => forget((each) => each === upload))
    },
    forget,
  }
}
