import { readFile } from 'node:fs/promises'

/** The folder of the built page and overlay: scripts/bundle.mjs makes them of packages/unplugin/page. */
const FOLDER = new URL('../../dist/page/', import.meta.url)

/** Reads the inspector's page: one document, which asks for nothing but the project's images. */
export const inspectorPage = (): Promise<string> => readFile(new URL('index.html', FOLDER), 'utf8')

/** Reads the script of the overlay, which dev servers put into pages. It needs a constant `endpoints` before it. */
export const overlayScript = (): Promise<string> => readFile(new URL('overlay.js', FOLDER), 'utf8')
