import { possibleBytes } from '../images.ts'
import type { CheckResult, FormatSettings } from './contract.ts'

/** All there is, as data; also a baseline for a later run. */
export function json(
  { findings, images, checked, failures }: CheckResult,
  { repositoryPath }: Pick<FormatSettings, 'repositoryPath'>,
): string {
  const report = {
    version: 1,
    // Sources are relative to it.
    root: repositoryPath(''),
    findings,
    failures,
    images: images.map((image) => ({
      source: image.source,
      bytes: image.bytes,
      ...(image.outcome !== undefined && { possible: possibleBytes(image) }),
    })),
    totals: {
      images: images.length,
      checked: checked.length,
      findings: findings.length,
      failed: failures.length,
      bytes: images.reduce((sum, { bytes }) => sum + bytes, 0),
      possible: images.reduce((sum, image) => sum + possibleBytes(image), 0),
    },
  }
  return `${JSON.stringify(report, null, 2)}\n`
}
