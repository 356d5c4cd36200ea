import type { ImageList } from '../image-table.ts'
import { possibleBytes } from '../images.ts'
import type { CheckResult, FormatSettings } from './contract.ts'

/** All there is, as data; also a baseline for a later run. */
export function* json(
  { findings, images, checked, failures, before }: CheckResult,
  { repositoryPath }: Pick<FormatSettings, 'repositoryPath'>,
): Iterable<string> {
  const totals = { bytes: 0, possible: 0 }
  for (const image of images) {
    totals.bytes += image.bytes
    totals.possible += possibleBytes(image)
  }
  // Sources are relative to the root.
  yield `{\n${members({ version: 1, root: repositoryPath(''), findings, failures })},\n`
  yield* imagesMember(images, before)
  yield `,\n${members({
    totals: {
      images: images.length,
      checked: checked.length,
      findings: findings.length,
      failed: failures.length,
      ...totals,
    },
  })}\n}\n`
}

/** As it stands in an object that is written with two spaces for each level. */
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
    }
    yield separator + inner(JSON.stringify([[shown]], null, 2), '[\n  [\n', '\n  ]\n]')
    separator = ',\n'
  }
  yield '\n  ]'
}

const members = (values: object): string => inner(JSON.stringify(values, null, 2), '{\n', '\n}')

const inner = (text: string, before: string, after: string): string => text.slice(before.length, -after.length)
