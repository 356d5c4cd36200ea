const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`

/**
 * Describes what would be published, for people.
 * @param {readonly import('./pack.mjs').Packed[]} packages in the order in which they are published
 * @param {string} changelog the section of this release
 */
export function summaryOf(packages, changelog) {
  const rows = [
    ['package', 'version', 'files', 'packed', 'unpacked'],
    ...packages.map(({ name, version, files, packed, unpacked }) => [
      name,
      version,
      String(files),
      kilobytes(packed),
      kilobytes(unpacked),
    ]),
  ]
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  const lines = rows.map((row) =>
    row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  '),
  )
  return `${lines.join('\n')}\n\n${changelog}\n`
}
