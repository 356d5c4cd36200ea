import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

let made = 0

/**
 * A new place to listen at, which only this user's processes reach: a socket, or a pipe of Windows. Sockets that ended
 * processes have left are removed, as a process that a signal ends cannot do so itself.
 */
export function newSocket(): string {
  made++
  const name = `${process.pid}-${made}`
  if (process.platform === 'win32') return String.raw`\\.\pipe\pixpress-next-${name}`
  const folder = ownFolder()
  for (const other of readdirSync(folder)) {
    if (!isAlive(Number.parseInt(other, 10))) rmSync(path.join(folder, other), { force: true })
  }
  const socket = path.join(folder, name)
  process.once('exit', () => rmSync(socket, { force: true }))
  return socket
}

/** One folder of the user, or a new one where somebody else has taken its name. */
function ownFolder(): string {
  const user = process.getuid!()
  const folder = path.join(os.tmpdir(), `pixpress-next-${user}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  const isOurs = found.isDirectory() && found.uid === user && (found.mode & 0o077) === 0
  return isOurs ? folder : mkdtempSync(`${folder}-`)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
