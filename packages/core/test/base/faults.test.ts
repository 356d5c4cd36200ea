import { naming } from '@pixpress/testkit'
import { describe, expect, it, vi } from 'vitest'
import { PixpressError } from '../../src/base/errors.ts'
import { codecFault, systemFault } from '../../src/base/faults.ts'

const coded = (code: string, message = code): Error => Object.assign(new Error(message), { code })

describe('systemFault', () => {
  it.each([
    ['ENOSPC', 'The disk is full', 'Free some space'],
    ['EACCES', 'There is no permission', "Run: chmod -R u+rwX 'cache'"],
    ['EROFS', 'The disk can only be read', 'Choose a folder on another'],
    ['ENOTDIR', 'Something else is in its place', "Run: rm -r 'cache'"],
    ['EMFILE', 'Too many files are open', 'Run: ulimit -n 4096'],
  ])('says of %s what happened and what mends it', (code, what, mend) => {
    expect(systemFault(coded(code), 'cache')).toEqual({ what, mend })
  })

  it('knows nothing of other errors', () => {
    expect(systemFault(coded('ENOENT'), 'cache')).toBeUndefined()
    expect(systemFault('text', 'cache')).toBeUndefined()
  })
})

describe('codecFault', () => {
  it.each([
    ['sharp', new Error('Could not load the "sharp" module using the linux-x64 runtime')],
    ['sharp', coded('MODULE_NOT_FOUND', "Cannot find module 'sharp'\nRequire stack:\n- /a.js")],
    ['sharp', coded('ERR_MODULE_NOT_FOUND', "Cannot find package 'sharp' imported from /a.js")],
    ['@napi-rs/image', new Error("Cannot find module '@napi-rs/image-linux-x64-gnu'")],
    ['@jsquash/jxl', coded('ENOENT', "ENOENT: no such file or directory, open '/n/jxl_enc.wasm'")],
  ])('names %s and the command that brings it', (name, error) => {
    const fault = codecFault(error)!
    expect(fault).toMatchObject({ code: 'MACHINE_UNFIT', cause: error })
    expect(fault.message).toEqual(
      naming(name, `${process.platform}-${process.arch}`, '--os', process.platform, '--cpu', process.arch, name),
    )
  })

  it.each([
    ['npm/10.9.0 node/v22.0.0', 'npm install --os'],
    ['pnpm/10.0.0 npm/? node/v22.0.0', 'pnpm install --force'],
    ['yarn/1.22.22 npm/? node/v22.0.0', 'yarn install --force'],
    [
      'yarn/4.18.1 npm/? node/v22.0.0',
      "'supportedArchitectures' in .yarnrc.yml if that is there, and run: yarn install",
    ],
  ])('gives a command that %s has', (agent, command) => {
    vi.stubEnv('npm_config_user_agent', agent)
    const { message, stack } = codecFault(new Error("Cannot find module 'sharp'"))!
    vi.unstubAllEnvs()
    expect(message).toContain(command)
    expect(message.endsWith('--force')).toBe(command.endsWith('--force'))
    expect(stack).toBe(`PixpressError: ${message}`)
  })

  it('leaves what an image is to blame for', () => {
    expect(codecFault(new Error('VipsJpeg: premature end of JPEG image'))).toBeUndefined()
    expect(codecFault(new PixpressError('TIMEOUT', 'sharp'))).toBeUndefined()
  })
})
