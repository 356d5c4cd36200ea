import path from 'node:path'
import { WORKSPACE, runProcess } from '@pixpress/testkit'
import { expect, it } from 'vitest'

/** The exit code where the kept results were made with other codecs, or on another platform. */
const NOT_COMPARABLE = 3

/** A busy machine takes several times as long as the five minutes of two idle processors. */
const timeout = 3_600_000

/** Compares what the built packages make with the kept results. Other codecs skip it, but not in CI. */
export function holdFence(title: string, ...flags: string[]): void {
  it(title, { timeout }, async ({ skip }) => {
    const args = [path.join(WORKSPACE, 'scripts/fence.mjs'), ...flags]
    const { code, stdout, stderr } = await runProcess(process.execPath, { args, cwd: WORKSPACE, timeout })
    skip(code === NOT_COMPARABLE && process.env.CI === undefined, stdout.trim())
    if (code !== 0) expect.fail(`${stdout}${stderr}`)
  })
}
