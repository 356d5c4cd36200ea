import type { RemoteEndpointUsage, RemoteKeyUsage, RemoteUsage } from '../engines/remote/usage.ts'
import { STORES, isStoreService } from '../objects/index.ts'
import type { StoreUsage } from '../objects/contract.ts'
import { formatBytes } from './units.ts'

/**
 * Returns the parts of a line about a remote engine: compressions of this build, those that the cache saved, and those
 * that are left.
 */
export function remoteParts(usage: RemoteUsage): string[] {
  const { endpoint, compressions, unanswered, saved, fallbacks, keys, left, endpoints = [] } = usage
  return [
    ...(endpoints.length > 1 ? endpoints.map(imagesAt) : [new URL(endpoint).host]),
    `${compressions} compression${compressions === 1 ? '' : 's'} used`,
    ...(unanswered > 0 ? [`up to ${unanswered} more without an answer`] : []),
    ...(saved > 0 ? [`${saved} saved by the cache`] : []),
    ...keys.flatMap((key) => monthOf(key, keys.length > 1)),
    ...(left === null ? [] : [`${left} left for this build`]),
    ...(fallbacks.local > 0 ? [`${fallbacks.local} done here`] : []),
    ...(fallbacks.original > 0 ? [`${fallbacks.original} left as they are`] : []),
  ]
}

/** The path is shown because it tells endpoints of one host apart. */
function imagesAt({ endpoint, images, reason }: RemoteEndpointUsage): string {
  const { host, pathname } = new URL(endpoint)
  const left = reason === null ? '' : ' (left)'
  return `${host}${pathname.replace(/\/+$/, '')} ${images} image${images === 1 ? '' : 's'}${left}`
}

function monthOf({ key, month, limit }: RemoteKeyUsage, named: boolean): string[] {
  if (month === null) return []
  return [`${named ? `${key} ` : ''}${month}${limit === null ? '' : ` of ${limit}`} this month`]
}

/** Returns the parts of a line about the objects that a build has stored. */
export function storeParts({ service, uploaded, present, bytes }: StoreUsage): string[] {
  return [
    isStoreService(service) ? STORES[service].label : service,
    `${uploaded} stored${uploaded === 0 ? '' : ` (${formatBytes(bytes)})`}`,
    ...(present > 0 ? [`${present} there already`] : []),
  ]
}
