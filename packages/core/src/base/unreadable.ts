import { hasContent } from './detect.ts'
import type { ContentFacts } from './format-facts.ts'

/** Formats that people have and the engine does not read, so that an error can name them. */
const UNREADABLE: Readonly<Record<string, ContentFacts>> = {
  ICO: { signatures: [[[0, [0, 0, 1, 0]]]] },
  PSD: { signatures: [[[0, '8BPS']]] },
  PDF: { signatures: [[[0, '%PDF-']]] },
  'JPEG 2000': { signatures: [[[4, 'jP  ']], [[0, [0xff, 0x4f, 0xff, 0x51]]]] },
}

/** Returns the name of a format that is known but not read. `undefined` for everything else. */
export function unreadableFormat(data: Uint8Array): string | undefined {
  return Object.entries(UNREADABLE).find(([, content]) => hasContent(data, content))?.[0]
}
