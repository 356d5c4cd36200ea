import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { detectType } from '../../src/base/detect.ts'
import type { InputType } from '../../src/base/types.ts'

const FIXTURES = path.join(import.meta.dirname, '../fixtures/properties')

/** Where the metric's tests keep their photographs and drawings. */
const METRIC = path.join(import.meta.dirname, '../quality/metric/fixtures')

/** A folder with more images, if the environment names one. Every file in it and its subfolders takes part. */
const CORPUS: string | undefined = process.env.PIXPRESS_CORPUS

/** Paths in a collection whose images are meant to be broken. The hostile tests check those. */
const NOT_HONEST = /(?:^|\/)(?:hostile|LICENSES|scripts)\//

export interface CorpusImage {
  /** Relative to its set, with forward slashes. */
  readonly name: string
  readonly file: string
  readonly type: InputType
  /** `true` for a fixture, which must never be refused. Refused images of a collection are listed elsewhere. */
  readonly isFixture: boolean
}

/** The honest images of a type by content: the fixtures, and those of the folder that `PIXPRESS_CORPUS` names. */
export function imagesOf(type: InputType): readonly CorpusImage[] {
  return ALL.filter((image) => image.type === type)
}

export function bytesOf(image: CorpusImage): Buffer {
  return readFileSync(image.file)
}

const ALL: readonly CorpusImage[] = [
  ...below(FIXTURES, true),
  ...below(METRIC, true).filter(({ name }) => name.endsWith('.png')),
  ...(CORPUS === undefined ? [] : below(CORPUS, false)),
]

function below(folder: string, isFixture: boolean): CorpusImage[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
    .flatMap((file) => {
      const name = path.relative(folder, file).split(path.sep).join('/')
      const type = detectType(readFileSync(file))
      return type === undefined || NOT_HONEST.test(name) ? [] : [{ name, file, type, isFixture }]
    })
}
