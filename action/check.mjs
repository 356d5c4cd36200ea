import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { checkImages, optionsOf } from './run/command.mjs'
import { readEvent } from './run/event.mjs'
import { filesOf, git } from './run/git.mjs'
import { readInputs } from './run/inputs.mjs'
import { reportFile, runStep, setOutputs, writeState } from './run/step.mjs'

// The first step: what is found, and which files it concerns.
await runStep(async (env) => {
  const inputs = readInputs(env)
  const { pull, base: usual } = await readEvent(env)
  const base = inputs.base || usual
  const { code, report } = await checkImages(inputs, base)
  const top = (await git(inputs.folder, ['rev-parse', '--show-toplevel'])).replace(/\n$/, '')
  const head = pull?.head ?? (await git(top, ['rev-parse', 'HEAD'])).trim()
  const mergeBase = base === undefined ? undefined : (await git(top, ['merge-base', base, 'HEAD'])).trim()
  const known = mergeBase === undefined ? new Map() : await filesOf(top, mergeBase)
  /** Paths from the top of the repository. */
  const pathOf = (source) => path.posix.normalize(path.posix.join(report.root, source))
  const found = new Set(report.findings.map(({ source }) => source))
  const images = report.images
    .filter(({ source, possible }) => possible !== undefined || found.has(source))
    .map(({ source, bytes, possible, file: sourceBytes, before: shippedBefore, why }) => {
      const file = pathOf(source)
      // Where a build ships the image, both sides are what it delivers.
      const before = sourceBytes === undefined ? known.get(file)?.bytes : shippedBefore
      return { source, file, bytes, possible, sourceBytes, before, why }
    })
  // A person would give these to do the same.
  const call = {
    version: inputs.version,
    options: optionsOf(inputs),
    files: inputs.files,
    folder: path
      .relative(top, await realpath(inputs.folder))
      .split(path.sep)
      .join('/'),
  }
  await writeState(env, { pull, base: mergeBase, since: base, head, top, code, report, images, call, notes: [] })
  await setOutputs(env, { findings: report.findings.length, report: reportFile(env) })
})
