import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { missingTool, requireTool } from '@pixpress/testkit'
import type { ImageProgram } from '@pixpress/testkit'

/** Runs one of libjxl's own programs on a file's bytes and gives what it wrote. */
export function convert(
  tool: Extract<ImageProgram, 'cjxl' | 'djxl'>,
  data: Uint8Array,
  [from, to]: readonly [string, string],
  ...options: string[]
): Buffer {
  const program = requireTool(tool)
  if (program === undefined) throw new Error(missingTool(tool))
  const folder = mkdtempSync(path.join(tmpdir(), 'pixpress-'))
  const [input, output] = [path.join(folder, `in.${from}`), path.join(folder, `out.${to}`)]
  try {
    writeFileSync(input, data)
    execFileSync(program, [input, output, ...options], { stdio: 'pipe' })
    return readFileSync(output)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
