/**
 * Looks at the pages of a site in a browser.
 *
 * The main path: pages (site/) → a browser of its own (browser/) → what each page shows in each viewport (visit/, with
 * the scripts of page/ inside of the page) → faults (rules/) → findings (findings/) → their sources (sources/) → what
 * to write (advice/, writes.ts) → text or JSON (output.ts).
 */
export { auditFolder, auditUrl } from './run-audit.ts'
export { auditData, auditText } from './output.ts'
export { planWrites, writeFiles } from './writes.ts'
export { DEFAULT_VIEWPORTS, parseViewports } from './visit/viewports.ts'
