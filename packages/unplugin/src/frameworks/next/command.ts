#!/usr/bin/env node
/** `next build && pixpress-next`: the images of a site that Next.js has exported. */
try {
  // An old Node, and packages that do not fit together, fail as soon as it is loaded.
  const { exportSite } = await import('./export-site.ts')
  process.exitCode = await exportSite(process.cwd())
} catch (error) {
  if (!(error instanceof Error) || error.name !== 'PixpressError') throw error
  console.error(`pixpress-next: ${error.message}`)
  process.exitCode = 1
}
