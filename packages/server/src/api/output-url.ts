import type { Context } from 'hono'
import type { AppEnv } from './environment.ts'

/** The absolute address of an output: below the public URL, else below the address that the client has used. */
export function outputUrl(c: Context<AppEnv>, id: string, publicUrl: string | undefined): string {
  return `${publicUrl ?? new URL(c.req.url).origin}/output/${id}`
}
