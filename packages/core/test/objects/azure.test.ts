import { azureContainerSas, startAzureDouble, testObjectStore } from '@pixpress/testkit'
import type { AzureDouble } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AzureStoreOptions } from '../../src/objects/azure.ts'
import { isStored, store, storeLocation } from '../../src/objects/store.ts'

const ACCOUNT = {
  account: 'pixpressimages',
  key: Buffer.from('an account key of as many bytes as those of Azure have: 64, here').toString('base64'),
  container: 'pictures',
}
const OTHER_KEY = Buffer.from('another key').toString('base64')
const later = new Date(Date.now() + 3_600_000)
const WRITES = azureContainerSas(ACCOUNT, 'rcw', later)
const READS = azureContainerSas(ACCOUNT, 'r', later)
const EXPIRED = azureContainerSas(ACCOUNT, 'rcw', new Date(Date.now() - 60_000))

const service = 'azure' as const
const azure_storage_account = ACCOUNT.account
const MISSING = /ContainerNotFound.*There is no such container\./

testObjectStore('Azure Blob Storage by an account key, a double that checks Shared Key', async () => {
  const double = await startAzureDouble(ACCOUNT)
  const { endpoint } = double
  return {
    options: (path) => ({ service, azure_storage_account, azure_storage_key: ACCOUNT.key, endpoint, path }),
    bucket: 'pictures',
    missingBucket: 'not-there',
    missing: MISSING,
    wrong: [
      ['key', { azure_storage_key: OTHER_KEY }, /403 AuthenticationFailed.*wrong or has expired/],
      ['account', { azure_storage_account: 'somebodyelse' }, /403 AuthenticationFailed/],
    ],
    secrets: [ACCOUNT.key, OTHER_KEY],
    stop: () => double.close(),
  }
})

testObjectStore('Azure Blob Storage by a shared access signature, a double that checks it', async () => {
  const double = await startAzureDouble(ACCOUNT)
  const { endpoint } = double
  return {
    options: (path) => ({ service, azure_storage_account, azure_storage_sas: `?${WRITES}`, endpoint, path }),
    bucket: 'pictures',
    missingBucket: 'not-there',
    missing: MISSING,
    wrong: [
      ['rights', { azure_storage_sas: READS }, /403 AuthorizationPermissionMismatch.*lacks the right/],
      ['time', { azure_storage_sas: EXPIRED }, /403 AuthenticationFailed.*has expired/],
    ],
    secrets: [WRITES, READS, EXPIRED].map((sas) => new URLSearchParams(sas).get('sig')!),
    stop: () => double.close(),
  }
})

describe('an object in Azure Blob Storage', () => {
  let double: AzureDouble
  let options: AzureStoreOptions
  beforeAll(async () => {
    double = await startAzureDouble(ACCOUNT)
    options = { service, azure_storage_account, path: 'pictures/a b.png', endpoint: double.endpoint }
  })
  afterAll(() => double.close())

  it('has an address without the signature that has put it there', async () => {
    const sas = `https://pixpressimages.blob.core.windows.net/pictures?${WRITES}`
    const given = { ...options, azure_storage_sas: sas }
    const { location } = await store({ data: Buffer.from('x'), info: { type: 'image/png' } }, given)
    expect(location).toBe(`${double.endpoint}/pictures/a%20b.png`)
    expect(await isStored(given)).toBe(true)
    expect(double.requests.map(({ method }) => method)).toEqual(['PUT', 'HEAD'])
  })

  it('lies at the account without an endpoint', () => {
    const { endpoint: _, ...others } = options
    expect(storeLocation({ ...others, azure_storage_key: ACCOUNT.key })).toBe(
      'https://pixpressimages.blob.core.windows.net/pictures/a%20b.png',
    )
  })

  it.each([
    [{}, 'exactly one of'],
    [{ azure_storage_key: ACCOUNT.key, azure_storage_sas: WRITES }, 'exactly one of'],
    [{ azure_storage_key: ACCOUNT.key, azure_storage_account: 'No Account' }, "an account such as 'pictures'"],
  ])('is not put there with members that do not go together', (members, said) => {
    const attempt = (): unknown => storeLocation({ ...options, ...members })
    expect(attempt).toThrow(said)
    expect(attempt).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    expect(attempt).not.toThrow(ACCOUNT.key)
  })
})
