import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { UsageError } from '@pixpress/core/internal'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge']

/** Where installers put it, and no PATH leads. */
const PLACES: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
    String.raw`C:\Program Files (x86)\Google\Chrome\Application\chrome.exe`,
    String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
  ],
  linux: ['/usr/bin/chromium', '/snap/bin/chromium', '/opt/google/chrome/chrome'],
}

/**
 * The Chromium, Chrome or Edge of this machine: `CHROME_PATH`, else in `PATH`, else where it usually is.
 * @throws UsageError where there is none
 */
export function findChromium(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['CHROME_PATH']
  if (named !== undefined && named !== '') {
    if (isProgram(named)) return named
    throw new UsageError(`CHROME_PATH is no program: '${named}'. Set it to that of Chromium, Chrome or Edge.`)
  }
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '')
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const candidates = [
    ...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name + suffix))),
    ...(PLACES[process.platform] ?? []),
  ]
  const found = candidates.find(isProgram)
  if (found !== undefined) return found
  throw new UsageError('No Chromium was found: install Chromium or Chrome, or set CHROME_PATH to its program.')
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
