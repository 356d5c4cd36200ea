import { access, constants, mkdir, open, rm, statfs } from 'node:fs/promises'
import path from 'node:path'
import { createFileCache } from '@pixpress/core'
import { systemFault } from '@pixpress/core/internal'
import { formatBytes } from '@pixpress/core/report'
import { configuredCacheFolder } from '../base/cache-folder.ts'
import { loadConfig } from '../base/config.ts'
import type { LoadedConfig } from '../base/config.ts'
import { ok, problem, textOf, warning } from './contract.ts'
import type { Check, Verdict } from './contract.ts'

/** Bytes of a disk that a build should find free. */
const LEAST_FREE = 200_000_000

/** Checks that the project's folder takes new files. */
export const checkProject: Check = async ({ cwd }) => {
  try {
    await access(cwd, constants.R_OK | constants.W_OK)
    return ok(`files can be read and written in ${cwd}`)
  } catch (error) {
    return refused(`${cwd} cannot be written`, error, cwd)
  }
}

/** Checks that the cache takes entries, that all of its entries are whole, and that there is room for more. */
export const checkCache: Check = async (around) => {
  // The check of the configuration reports what is wrong with it.
  const config = await loadConfig(around.cwd).catch((): LoadedConfig => ({ config: {}, file: undefined }))
  if (config.config.cache === false)
    return warning('it is off', "Remove 'cache: false', so that builds after the first are fast")
  const dir = configuredCacheFolder(config, around)
  try {
    await tryToWrite(dir)
    const { entries, broken } = await createFileCache({ dir }).verify()
    if (broken > 0)
      return warning(`${broken} of ${entries} entries in ${dir} are damaged`, 'Run: npx pixpress cache clear')
    const { bavail, bsize } = await statfs(dir)
    if (bavail * bsize < LEAST_FREE)
      return warning(`${formatBytes(bavail * bsize)} are left on its disk`, 'Free some space')
    return ok(`${entries} entries in ${dir}, all whole`)
  } catch (error) {
    return refused(`${dir} cannot be written`, error, dir)
  }
}

/** Leaves nothing behind, but for the folder. */
async function tryToWrite(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true })
  const file = path.join(dir, `doctor.${process.pid}.tmp`)
  const handle = await open(file, 'wx')
  try {
    await handle.writeFile(Buffer.alloc(64 * 1024))
  } finally {
    await handle.close()
    await rm(file, { force: true })
  }
}

function refused(what: string, error: unknown, place: string): Verdict {
  const fault = systemFault(error, place)
  return fault ? problem(`${what}: ${fault.what.toLowerCase()}`, fault.mend) : problem(what, textOf(error))
}
