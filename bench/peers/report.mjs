import { percent, table } from '../report/markdown.mjs'

/** A peer's result must be smaller by at least this share of its bytes to count. */
export const MARGIN = 0.02

/** Renders the result of each tool as Markdown, and the images for which a peer keeps the promise in fewer bytes. */
export function renderPeers({ sources, ours, peers, promise }) {
  const rows = [
    ['pixpress', percent(ours.bytes, sources.bytes), `${ours.kept} of ${sources.count}`, '–'],
    ...peers.map(({ title, bytes, kept, dominating }) => [
      title,
      percent(bytes, sources.bytes),
      `${kept} of ${sources.count}`,
      String(dominating.length),
    ]),
  ]
  const lines = peers.flatMap(({ title, dominating }) =>
    dominating.map(
      ({ name, before, after, rival, keeps }) =>
        `- ${title}: ${name}, ${before} → ${after} bytes, theirs ${rival}, which keeps ${keeps.toFixed(1)}`,
    ),
  )
  return [
    `${sources.count} pictures (${sources.png} of them PNG), promise ${promise}.`,
    '',
    table(['tool', 'bytes', 'keep the promise', 'smaller than ours at the promise'], rows),
    ...(lines.length > 0 ? ['', ...lines] : []),
  ].join('\n')
}
