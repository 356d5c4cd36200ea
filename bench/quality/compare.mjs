import { createOptimizer } from '@pixpress/core'
import { PACKERS, PEERS } from './encoders.mjs'
import { canScoreJxl, scoreOf } from './score.mjs'

/** The types in the order of the tables; JPEG holds no transparency, so its pictures are the opaque ones. */
const TYPES = ['image/jpeg', 'image/webp', 'image/avif', 'image/jxl', 'image/png']

/** Points by which a score may lie below the promise because another decoder rounds differently. */
const ROUNDING = 0.3

/**
 * Encodes every picture with pixpress and with each of its peers.
 * @param promise the SSIMULACRA2 score that pixpress is asked for
 * @returns per type `own`, `peers` and `equal`; `lossless` and the tools that are `missing`
 */
export async function compare(pictures, { promise, types = TYPES, parallel }) {
  const optimizer = createOptimizer({ concurrency: parallel })
  try {
    const results = []
    for (const type of TYPES.filter((known) => types.includes(known))) {
      if (type === 'image/jxl' && !canScoreJxl()) continue
      process.stderr.write(`${type}\n`)
      results.push(await compareType(type, pictures, { promise, optimizer, parallel }))
    }
    const lossless = types.includes('image/png') ? await compareLossless(pictures, { optimizer, parallel }) : []
    return { results, lossless, missing: missingTools(types) }
  } finally {
    await optimizer.close()
  }
}

async function compareType(type, pictures, { promise, optimizer, parallel }) {
  const suited = type === 'image/jpeg' ? pictures.filter(({ transparent }) => !transparent) : pictures
  const own = await each(suited, parallel, (picture) => encodeOwn(optimizer, picture, type, promise))
  const peers = []
  const equal = []
  for (const peer of PEERS) {
    if (peer.type !== type || peer.missing) continue
    process.stderr.write(`  ${peer.tool} ${peer.usual}\n`)
    const usual = await each(suited, parallel, (picture) => measure(peer, picture, peer.usual, true))
    peers.push({ tool: peer.tool, setting: peer.usual, images: usual })
    if (peer.qualities !== undefined) equal.push(...(await atEqualScore(peer, suited, own, { promise, parallel })))
  }
  return {
    type,
    names: suited.map(({ name }) => name),
    pixels: suited.map(pixelsOf),
    sources: suited.map(({ png }) => png.length),
    own,
    peers,
    equal,
  }
}

const pixelsOf = ({ pixels }) => pixels.width * pixels.height

async function encodeOwn(optimizer, picture, type, quality) {
  const { data } = await optimizer.optimize(picture.png, { convert: { type }, quality })
  return { bytes: data.length, score: await scoreOf(data, picture) }
}

async function measure(peer, picture, quality, whole) {
  const encoded = await peer.encode(picture, quality)
  const data = whole && peer.finish !== undefined ? await peer.finish(encoded) : encoded
  return { bytes: data.length, score: await scoreOf(data, picture) }
}

/**
 * Shares of the pictures for which the fixed quality has to keep the promise. The first share depends on the one
 * hardest picture.
 */
const SHARES = [1, 0.9]

/**
 * Finds the one fixed quality at which a peer keeps the promise for every picture, or for most, and its cost. Only
 * pictures count for which both the peer and pixpress can keep the promise at all.
 */
async function atEqualScore(peer, pictures, own, { promise, parallel }) {
  const needed = await each(pictures, parallel, (picture) => lowestQuality(peer, picture, promise))
  const both = pictures
    .map((_, index) => index)
    .filter((index) => needed[index] !== undefined && own[index].score >= promise - ROUNDING)
  if (both.length === 0) return []
  const sorted = both.map((index) => needed[index]).sort((a, b) => a - b)
  const unreachable = needed.filter((quality) => quality === undefined).length
  const results = []
  for (const share of SHARES) {
    const quality = sorted[Math.ceil(share * sorted.length) - 1]
    const images = await each(both, parallel, (index) => measure(peer, pictures[index], quality, true))
    results.push({ tool: peer.tool, share, quality, both, unreachable, images })
  }
  return results
}

/**
 * Searches by bisection, because scores grow with the quality. Returns `undefined` if even the highest quality misses
 * the promise.
 */
async function lowestQuality(peer, picture, promise) {
  let [low, high] = peer.qualities
  if ((await measure(peer, picture, high, false)).score < promise) return undefined
  while (low < high) {
    const middle = (low + high) >> 1
    if ((await measure(peer, picture, middle, false)).score >= promise) high = middle
    else low = middle + 1
  }
  return high
}

async function compareLossless(pictures, { optimizer, parallel }) {
  process.stderr.write('lossless PNG\n')
  const own = await each(pictures, parallel, (picture) => encodeOwn(optimizer, picture, 'image/png', 100))
  const results = [{ tool: 'pixpress', bytes: own.map(({ bytes }) => bytes) }]
  for (const packer of PACKERS.filter(({ missing }) => !missing)) {
    process.stderr.write(`  ${packer.tool}\n`)
    results.push({
      tool: packer.tool,
      bytes: await each(pictures, parallel, async (picture) => (await packer.encode(picture)).length),
    })
  }
  return results
}

function missingTools(types) {
  const wanted = [...PEERS.filter(({ type }) => types.includes(type)), ...(types.includes('image/png') ? PACKERS : [])]
  const missing = wanted.filter((tool) => tool.missing).map(({ needs }) => needs)
  return [...new Set([...missing, ...(types.includes('image/jxl') && !canScoreJxl() ? ['djxl'] : [])])]
}

/** A parallel map in the order of the items. */
async function each(items, parallel, work) {
  const results = Array.from({ length: items.length })
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const index = next++
      results[index] = await work(items[index])
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  return results
}
