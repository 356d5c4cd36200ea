/** A paint that the browser reports, with the element unless that has been removed since. */
export interface LargestPaint {
  readonly url: string
  readonly element: Element | null
}

/** Remembers the paint that the browser takes for its largest. Paints after the first input or scroll do not count. */
export function watchPaint(): () => LargestPaint | undefined {
  let last: PerformanceEntry | undefined
  const observer = new PerformanceObserver((list) => {
    last = list.getEntries().at(-1)
  })
  observer.observe({ type: 'largest-contentful-paint', buffered: true })
  return () => {
    // A busy machine may not have called the observer yet.
    last = observer.takeRecords().at(-1) ?? last
    return last as (PerformanceEntry & LargestPaint) | undefined
  }
}
