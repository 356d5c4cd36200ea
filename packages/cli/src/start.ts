import './base/same-release.ts'
import os from 'node:os'
import { surroundings } from './base/output.ts'
import { run } from './run.ts'

const controller = new AbortController()

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // Whoever asks twice does not want to wait for what is being written.
    if (controller.signal.aborted) process.exit(128 + os.constants.signals[signal])
    controller.abort(signal)
  })
}

process.exitCode = await run(process.argv.slice(2), surroundings(controller.signal))
// Images that are still being encoded would hold the process.
if (controller.signal.aborted) process.exit()
