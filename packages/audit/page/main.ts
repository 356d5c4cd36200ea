/**
 * The script that runs inside of each audited page, before any script of its own. It reports facts; the rules outside
 * decide what they mean.
 */
import type { PageScript } from '../src/visit/page-facts.ts'
import { pageFacts } from './facts.ts'
import { watchPaint } from './paint.ts'
import { scrollThrough, untilPainted } from './view.ts'

const paint = watchPaint()

const script: PageScript = {
  untilPainted,
  scrollThrough,
  facts: () => pageFacts(paint()),
}

// Not enumerable, so that a page that looks through its globals meets nothing new.
Object.defineProperty(globalThis, 'pixpressAudit', { value: script })
