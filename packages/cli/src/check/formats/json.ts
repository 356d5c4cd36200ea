import type { ImageList } from '../image-table.ts'
import { possibleBytes } from '../images.ts'
import { isKept, keptGroups, keptSentence } from '../kept.ts'
import type { CheckResult } from '../result.ts'
import type { FormatSettings } from './contract.ts'

/** All there is, as data; also a baseline for a later run. */
export function* json(
  { findings, images, checked, failures, budgets = [], before }: CheckResult,
  { repositoryPath }: Pick<FormatSettings, 'repositoryPath'>,
): Iterable<string> {
  const totals = { bytes: 0, possible: 0 }
  const shipped = new Set<string>()
  for (const image of images) {
    // Images that are shipped as one file count once, as in a build's report.
    if (image.id !== undefined && shipped.has(image.id)) continue
    if (image.id !== undefined) shipped.add(image.id)
    totals.bytes += image.bytes
    totals.possible += possibleBytes(image)
  }
  // Sources are relative to the root.
  yield `{\n${members({ version: 1, root: repositoryPath(''), findings, failures })},\n`
  yield* imagesMember(images, before)
  yield `,\n${members({
    budgets,
    kept: keptGroups(checked).map(({ images: own, ...group }) => ({ ...group, images: own.length })),
    totals: {
      images: images.length,
      checked: checked.length,
      findings: findings.length,
      failed: failures.length,
      ...totals,
    },
  })}\n}\n`
}

/** Writes the member as it stands in an object that is indented by two spaces for each level. */
function* imagesMember(images: ImageList, before: CheckResult['before']): Iterable<string> {
  if (images.length === 0) {
    yield members({ images: [] })
    return
  }
  let separator = '  "images": [\n'
  for (const image of images) {
    const { source, bytes, file, outcome } = image
    const shown = {
      source,
      bytes,
      ...(file !== undefined && { file }),
      ...(before?.has(source) && { before: before.get(source) }),
      ...(outcome !== undefined && { possible: possibleBytes(image) }),
      ...(isKept(image) && { why: { ...image.outcome.why, sentence: keptSentence(image) } }),
    }
    yield separator + inner(JSON.stringify([[shown]], null, 2), '[\n  [\n', '\n  ]\n]')
    separator = ',\n'
  }
  yield '\n  ]'
}

const members = (values: object): string => inner(JSON.stringify(values, null, 2), '{\n', '\n}')

const inner = (text: string, before: string, after: string): string => text.slice(before.length, -after.length)
