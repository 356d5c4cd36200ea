import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** ExifTool's own groups for facts about the file and the picture, and for what it works out from other tags. */
const NOT_METADATA =
  /^(?:SourceFile|ExifTool|System|File|JFIF|RIFF|Composite|QuickTime|Meta|Jpeg2000|JXL|ICC|PNG(?!:(?:Copyright|Creation|Marked|WebStatement)))/

/** Parts of the structure of EXIF and XMP that say nothing about the picture. */
const STRUCTURE = /^(?:ExifIFD:ExifVersion|GPS:GPSVersionID|XMP-x:XMPToolkit)$/

type Tags = Record<string, string | number | boolean>

/**
 * Reads the tags of files with ExifTool, in one process for all: `group:tag` and its value, with coordinates in
 * degrees.
 */
export async function readTags(
  program: string,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<Map<string, Tags>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
  try {
    const names = Object.keys(files)
    await Promise.all(names.map((name) => writeFile(path.join(folder, name), files[name]!)))
    const { stdout } = await promisify(execFile)(program, ['-json', '-G1', '-a', '-n', folder], {
      maxBuffer: 2 ** 26,
      timeout: 60_000,
    })
    const read = JSON.parse(stdout) as (Tags & { SourceFile: string })[]
    return new Map(read.map((tags) => [path.basename(tags.SourceFile), withoutStructure(tags)]))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function withoutStructure(tags: Tags): Tags {
  return Object.fromEntries(
    Object.entries(tags)
      .filter(([tag]) => !NOT_METADATA.test(tag) && !STRUCTURE.test(tag))
      .map(([tag, value]) => [tag, typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value]),
  )
}
