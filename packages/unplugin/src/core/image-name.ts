import path from 'node:path'
import { EXTENSIONS, INPUT_TYPES } from '@pixpress/core'
import type { InputType } from '@pixpress/core'

/** The extension that fits the bytes; the source's own spelling (`jpeg`) stays where it fits. */
export function extensionOf(type: InputType, own: string): string {
  const usual = EXTENSIONS[type]
  return type === 'image/jpeg' && ['jpg', 'jpeg', 'jpe', 'jfif'].includes(own) ? own : usual
}

/** The type a file's name speaks of, for one whose content says nothing. */
export function typeByName(file: string): InputType {
  const extension = path.extname(file).slice(1).toLowerCase()
  return INPUT_TYPES.find((type) => extensionOf(type, extension) === extension) ?? 'image/png'
}

/** A path below the cache that mirrors one relative to the project, `..` included. */
export const mirroredFolder = (folder: string): string =>
  folder
    .split('/')
    .map((part) => (part === '..' ? '__' : part))
    .join('/')
