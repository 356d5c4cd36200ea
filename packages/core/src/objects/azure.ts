import { createHash, createHmac } from 'node:crypto'
import type { ObjectOptions, ObjectRequest, ObjectStore } from './contract.ts'

/** Azure Blob Storage. `path` begins with the container. */
export interface AzureStoreOptions extends ObjectOptions {
  service: 'azure'
  /** The name of the storage account. */
  azure_storage_account: string
  /** A key of the account, in base64. Either it or `azure_storage_sas` is given. */
  azure_storage_key?: string
  /** A shared access signature: the SAS token, or a SAS URL, of which the query is used. */
  azure_storage_sas?: string
}

/** It becomes a part of a host name. */
const ACCOUNT = /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])?$/

/** The version of the protocol whose answers and signatures this file is written for. */
const VERSION = '2021-08-06'

/** The store of Microsoft's Azure Blob Storage. */
export const azure: ObjectStore<AzureStoreOptions> = {
  label: 'Azure Blob Storage',
  provider: "Microsoft's",
  members: {
    azure_storage_account: { required: true, inCommands: true, form: [ACCOUNT, "an account such as 'pictures'"] },
    azure_storage_key: { required: 'one', inCommands: true, description: 'A key of the account, in base64.' },
    azure_storage_sas: {
      required: 'one',
      inCommands: true,
      description: 'A shared access signature: its token, or a URL that has it.',
    },
  },
  hints: {
    AuthenticationFailed: 'The account key or the shared access signature is wrong or has expired.',
    AuthorizationFailure: 'The shared access signature lacks the right to write there.',
    AuthorizationPermissionMismatch: 'The shared access signature lacks the right to write there.',
    ContainerNotFound: 'There is no such container.',
  },
  endpoint: ({ azure_storage_account }) => `https://${azure_storage_account}.blob.core.windows.net`,
  authorizer({ azure_storage_account: account, azure_storage_key: key, azure_storage_sas: sas }) {
    return ({ url, ...request }) => {
      const headers = headersOf(request)
      if (sas !== undefined) return Promise.resolve({ url: `${url}?${sas.slice(sas.indexOf('?') + 1)}`, headers })
      headers.set('x-ms-date', new Date().toUTCString())
      const signature = createHmac('sha256', Buffer.from(key!, 'base64'))
        .update(textToSign(request, headers, `/${account}${resourceOf(new URL(url))}`))
        .digest('base64')
      headers.set('Authorization', `SharedKey ${account}:${signature}`)
      return Promise.resolve({ url, headers })
    }
  },
}

/** Adds what Put Blob wants, which keeps the time in caches under a name of its own. */
function headersOf({ method, headers: given, body }: Omit<ObjectRequest, 'url'>): Headers {
  const headers = new Headers(given)
  headers.set('x-ms-version', VERSION)
  if (method !== 'PUT' || body === undefined) return headers
  headers.set('x-ms-blob-type', 'BlockBlob')
  const cacheControl = headers.get('Cache-Control')
  headers.delete('Cache-Control')
  if (cacheControl !== null) headers.set('x-ms-blob-cache-control', cacheControl)
  // An object that arrives damaged is refused.
  headers.set('Content-MD5', createHash('md5').update(body).digest('base64'))
  return headers
}

/** Headers of which the values are signed, in the order of "Authorize with Shared Key" (learn.microsoft.com). */
const SIGNED = [
  'Content-Encoding',
  'Content-Language',
  'Content-Length',
  'Content-MD5',
  'Content-Type',
  'Date',
  'If-Modified-Since',
  'If-Match',
  'If-None-Match',
  'If-Unmodified-Since',
  'Range',
] as const

function textToSign({ method, body }: Omit<ObjectRequest, 'url'>, headers: Headers, resource: string): string {
  // The length is set when the request is sent. Since version 2015-02-21 none is signed as nothing.
  const length = body === undefined || body.length === 0 ? '' : String(body.length)
  const values = SIGNED.map((name) => (name === 'Content-Length' ? length : (headers.get(name) ?? '')))
  const own = [...headers].filter(([name]) => name.startsWith('x-ms-')).sort(([a], [b]) => (a < b ? -1 : 1))
  return [method, ...values, ...own.map(([name, value]) => `${name}:${value}`), resource].join('\n')
}

/** Returns the path, escaped as it is sent, with the decoded parameters of the query below it. */
function resourceOf({ pathname, searchParams }: URL): string {
  const parameters = [...searchParams].map(([name, value]) => `\n${name.toLowerCase()}:${value}`)
  return pathname + parameters.sort().join('')
}
