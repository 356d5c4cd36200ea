import type { Context } from 'hono'
import type { Access, AppEnv } from '../http/context.ts'
import { answerJson } from '../http/json.ts'
import type { Services } from './services.ts'

/** Answers `GET /usage`: what the account of the key has used in this month, and what it may use. */
export async function usage(c: Context<AppEnv>, access: Access, { accounting }: Services): Promise<Response> {
  const { account, monthlyLimit, rate } = access
  const { month, compressions, bytesIn, bytesOut } = await accounting.usage(account)
  c.set('count', compressions)
  const body = {
    account,
    month,
    compressions,
    // JSON has no infinity.
    limit: Number.isFinite(monthlyLimit) ? monthlyLimit : null,
    rate: rate === undefined ? null : { requests: rate.burst, seconds: Math.round(rate.interval * rate.burst) / 1000 },
    bytes: { in: bytesIn, out: bytesOut, saved: bytesIn - bytesOut },
  }
  return answerJson(c, JSON.stringify(body), 200)
}
