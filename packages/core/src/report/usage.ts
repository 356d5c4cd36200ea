import type { RemoteEndpointUsage, RemoteKeyUsage, RemoteUsage } from '../engines/remote/usage.ts'
import { STORES, isStoreService } from '../objects/index.ts'
import type { StoreUsage } from '../objects/contract.ts'
import { formatBytes } from './units.ts'

/** What was used of a service, as the parts of a line: compressions of this build, what the cache spared, and what is left. */
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

/** Paths tell endpoints of one host apart. */
function imagesAt({ endpoint, images, reason }: RemoteEndpointUsage): string {
  const { host, pathname } = new URL(endpoint)
  const left = reason === null ? '' : ' (left)'
  return `${host}${pathname.replace(/\/+$/, '')} ${images} image${images === 1 ? '' : 's'}${left}`
}

function monthOf({ key, month, limit }: RemoteKeyUsage, named: boolean): string[] {
  if (month === null) return []
  return [`${named ? `${key} ` : ''}${month}${limit === null ? '' : ` of ${limit}`} this month`]
}

/** What a build did in object storage, as the parts of a line. */
export function storeParts({ service, uploaded, present, bytes }: StoreUsage): string[] {
  return [
    isStoreService(service) ? STORES[service].label : service,
    `${uploaded} stored${uploaded === 0 ? '' : ` (${formatBytes(bytes)})`}`,
    ...(present > 0 ? [`${present} there already`] : []),
  ]
}
