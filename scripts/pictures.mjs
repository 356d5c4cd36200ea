import process from 'node:process'
import { digestOf, readAges, writeAges } from './pictures/age.mjs'
import { GROUPS } from './pictures/list.mjs'
import { openStudio } from './pictures/studio.mjs'

// Makes the pictures of the README and of docs/, and writes down what each was made of: all of them, or the groups that
// are named (`node scripts/pictures.mjs report server`). It needs the built packages (`npm run build`), util-linux for
// the terminal, a sans-serif font, and Chromium, by default Debian's; PIXPRESS_CHROMIUM names another. Nothing is
// loaded from a network.
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(GROUPS, name))
if (unknown.length > 0)
  throw new Error(`There is no group ${unknown.join(', ')}, but ${Object.keys(GROUPS).join(', ')}.`)

const studio = await openStudio()
try {
  for (const name of asked.length > 0 ? asked : Object.keys(GROUPS)) {
    const { make } = await GROUPS[name].load()
    await make(studio)
    await writeAges({ ...(await readAges()), [name]: await digestOf(GROUPS[name].inputs) })
  }
} finally {
  await studio.close()
}
