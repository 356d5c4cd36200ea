import { expect, it } from 'vitest'
import { emitImage, isEmittedHere } from '../../../src/bundlers/vite/emit-image.ts'
import type { ImageEmitter } from '../../../src/bundlers/vite/emit-image.ts'

/** A bundler whose references of files are their names. */
const EMITTER: ImageEmitter = { emitFile: (file) => String(file.fileName) }

it('knows an image that it has emitted by its bytes, as bundlers hand out copies', () => {
  const project = { emitted: new Set<string>() }
  const source = Buffer.from('image')
  expect(isEmittedHere(project, source)).toBe(false)
  expect(emitImage(project, EMITTER, { fileName: 'a.png', source })).toBe('a.png')
  expect(isEmittedHere(project, new Uint8Array(source))).toBe(true)
})
