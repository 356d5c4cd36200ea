/** The candidate nearest to what was written, or `undefined` when none is near enough to be what was meant. */
export function nearest(written: string, candidates: readonly string[]): string | undefined {
  const wanted = written.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(wanted.length / 2.5)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** `Did you mean 'x'?`, or the whole list when nothing is near. */
export function didYouMean(written: string, candidates: readonly string[]): string {
  const near = nearest(written, candidates)
  return near === undefined ? `Known: ${candidates.join(', ')}.` : `Did you mean '${near}'?`
}

/** Optimal string alignment: Levenshtein's distance in which swapping two neighbours costs one. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, substitution)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, beforePrevious[j - 2]! + 1)
      }
      current.push(cost)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.length]!
}
