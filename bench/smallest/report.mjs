import { describeMachine } from '../measure/versions.mjs'
import { megabytes, percent, ratio, seconds, table } from '../report/markdown.mjs'

/**
 * The result as Markdown, without a heading.
 * @param before figures of an earlier run
 */
export function renderSmallest(images, before) {
  const { cpu, cores, node, versions } = describeMachine(['sharp'])
  const date = new Date().toISOString().slice(0, 10)
  const types = [...new Set(images.map(({ type }) => type))].sort()
  const groups = [...types.map((type) => [type, images.filter((image) => image.type === type)]), ['all', images]]
  const rows = groups.map(([title, all]) => [
    title,
    `${all.length}`,
    megabytes(sum(all, bytesOf)),
    percent(sum(all, bytesOf), sum(all, ownBytes)),
    seconds(sum(all, cpuOf)),
    seconds(sum(all, floorOf)),
    ratio(sum(all, cpuOf), sum(all, floorOf)),
  ])
  const head = ['result', 'images', 'bytes', 'of the defaults', 'CPU', 'floor', '× the floor']
  const machine = `${date}, ${images.length} images, ${cpu}, ${cores} cores, Node ${node}, sharp ${versions.sharp}.`
  return [machine, table(head, rows), ...(before === undefined ? [] : [compared(images, before)])].join('\n\n')
}

/** The same images in two runs: sums, and each image whose result differs. */
function compared(images, before) {
  const known = new Map(before.map((image) => [image.name, image]))
  const both = images.flatMap((now) => (known.has(now.name) ? [{ now, was: known.get(now.name) }] : []))
  const [now, was] = [both.map((each) => each.now), both.map((each) => each.was)]
  const lines = both
    .filter((each) => each.now.bytes !== each.was.bytes || each.now.type !== each.was.type)
    .map((each) => `- ${each.now.name}: ${described(each.was)} → ${described(each.now)}`)
  const change = 100 * (sum(now, bytesOf) / sum(was, bytesOf) - 1)
  return [
    `Against the earlier run: ${change.toFixed(2)} % of the bytes, ${ratio(sum(now, cpuOf), sum(was, cpuOf))} of the CPU.`,
    ...lines,
  ].join('\n')
}

const described = ({ type, bytes }) => `${type.replace('image/', '')} ${bytes}`

const bytesOf = ({ bytes }) => bytes
const cpuOf = ({ cpu }) => cpu
const floorOf = ({ floor }) => floor
const ownBytes = ({ own }) => own.bytes

const sum = (list, of) => list.reduce((total, each) => total + of(each), 0)
