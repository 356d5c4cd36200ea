/** Loaded before the engine, in its threads too: appends the format and the setting of each encode to a file. */
import { createHash } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'

subscribe('pixpress:encode', (options) => {
  const { formatOut } = options
  if (formatOut === 'raw') return
  const own = formatOut === 'jxl' ? options : Object.fromEntries(settingsOf(options))
  const { quality, lossless } = own
  const others = createHash('sha256').update(JSON.stringify(own)).digest('hex').slice(0, 4)
  appendFileSync(process.env.FENCE_ENCODES, `${formatOut}:${lossless === true ? 'lossless' : quality}#${others} `)
})

/** sharp's options of the format that is written, in one order, without its name in front. */
function settingsOf(options) {
  const { formatOut } = options
  return Object.keys(options)
    .filter((key) => key.startsWith(formatOut))
    .sort()
    .map((key) => [key.slice(formatOut.length).replace(/^./, (letter) => letter.toLowerCase()), options[key]])
}
