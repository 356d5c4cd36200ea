import { isKeptUrl, keptUrlModule, resolveRemoteImport } from '../../modules/remote-import.ts'
import type { Session } from '../../session/session.ts'

const warn = (message: string): void => console.warn(`pixpress: ${message}`)

/** A request as hooks see it before it is resolved. */
export interface RequestLike {
  request: string
  readonly dependencies?: readonly object[]
  readonly dependencyType?: string
}

/**
 * Puts the copy of a remote image in the place of its URL, which bundlers leave to browsers otherwise; or a module that
 * exports the URL. Requests of stylesheets and pages never come here, as their loaders leave out URLs of other servers.
 * @param keepsUrls whether a dev server leaves URLs as they are where nothing is asked of their images
 * @throws PixpressError as `resolveRemoteImport`
 */
export async function resolveRemoteRequest(session: Session, data: RequestLike, keepsUrls: boolean): Promise<void> {
  if (!session.remote.isWanted || !/^https?:\/\//i.test(data.request)) return
  const id = await resolveRemoteImport(session, data.request, warn, { keepsUrls })
  // A URL of a stylesheet or of a `new URL()` stands for no module.
  if (id === undefined || (isKeptUrl(id) && data.dependencyType === 'url')) return
  data.request = isKeptUrl(id) ? `data:text/javascript,${encodeURIComponent(keptUrlModule(id))}` : id
  // The dependency's own request decides what is external.
  const [dependency] = data.dependencies ?? []
  if (dependency !== undefined && 'request' in dependency) dependency.request = data.request
}
