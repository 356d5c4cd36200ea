import type { StoreCommand } from './commands.ts'

/** What stands in the place of a secret. */
const HIDDEN = '…'

/** The text without these secrets, plain or as Basic credentials: services and proxies may repeat what they were sent. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [basicCredentials(secret), secret])
    .reduce((clean, secret) => clean.replaceAll(secret, HIDDEN), text)
}

/** The interface's Basic authentication: the user is always `api`, the password is the key. */
export function basicCredentials(key: string): string {
  return Buffer.from(`api:${key}`).toString('base64')
}

export function secretsOf(store: StoreCommand | undefined): string[] {
  if (store === undefined) return []
  const secret = store.service === 's3' ? store.aws_secret_access_key : store.gcp_access_token
  return typeof secret === 'string' && secret !== '' ? [secret] : []
}
