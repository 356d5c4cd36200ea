import { ADVISORIES_OF, installedAdvisories } from '@pixpress/core/internal'
import type { InstalledAdvisories } from '@pixpress/core/internal'
import { ok, faultVerdict, warning } from './contract.ts'
import type { Verdict } from './contract.ts'

/** Looks for published vulnerabilities of the installed libraries that read images, in a table of the engine's. */
export async function checkAdvisories(): Promise<Verdict> {
  try {
    return verdictOf(await installedAdvisories())
  } catch (error) {
    return { ...faultVerdict(error), state: 'warning' }
  }
}

/** Says which versions are vulnerable, or which were looked up. */
export function verdictOf({ versions, known }: InstalledAdvisories): Verdict {
  const libraries = Object.entries(versions).map(([library, version]) => `${library} ${version}`)
  if (known.length === 0) return ok(`none is known of ${libraries.join(', ')} on ${ADVISORIES_OF}`)
  const found = known.map(
    ({ library, installed, fixed, ids }) => `${library} ${installed} (${ids.join(', ')}; mended in ${fixed})`,
  )
  return warning(`vulnerable: ${found.join('; ')}`, 'Run: npm update sharp svgo')
}
