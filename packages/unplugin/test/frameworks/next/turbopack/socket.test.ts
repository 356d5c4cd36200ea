import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { newSocket } from '../../../../src/frameworks/next/turbopack/socket.ts'

describe.skipIf(process.platform === 'win32')('newSocket', () => {
  it('gives a place of its own each time, and removes what ended processes have left', () => {
    const socket = newSocket()
    const { pid } = spawnSync(process.execPath, ['--version'])
    const left = path.join(path.dirname(socket), `${pid}-1`)
    writeFileSync(left, '')
    writeFileSync(socket, '')
    const other = newSocket()
    expect(other).not.toBe(socket)
    expect([existsSync(left), existsSync(socket)]).toEqual([false, true])
  })
})
