import { base64Text } from './base/encoding.ts'
import type { StoreCommand } from './commands.ts'

/** Stands for a secret in messages. */
const HIDDEN = '…'

/**
 * Returns the text without these secrets, plain or as Basic credentials: services and proxies may repeat what they were
 * sent.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [basicCredentials(secret), secret])
    .reduce((clean, secret) => clean.replaceAll(secret, HIDDEN), text)
}

/** Returns the interface's Basic authentication: the user is always `api`, the password is the key. */
export function basicCredentials(key: string): string {
  return base64Text(`api:${key}`)
}

/** Members of a `store` command that are no secret, whatever the storage. */
const PUBLIC_MEMBERS: readonly string[] = ['service', 'path', 'region', 'acl', 'aws_access_key_id']

/** Returns the secrets of a `store` command: every other text that it holds. */
export function secretsOf(store: StoreCommand | undefined): string[] {
  return Object.entries(store ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' && !PUBLIC_MEMBERS.includes(name) ? [value] : [],
  )
}
