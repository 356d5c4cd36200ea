import { makeSmallImages } from './images/small-images.mjs'
import { writeImports } from './projects/site-project.mjs'
import fs from 'node:fs'
fs.mkdirSync('/tmp/k1/images',{recursive:true})
const images = await makeSmallImages('/tmp/k1/images', 1000)
console.log(await writeImports.length, images.length ?? images)
await writeImports('/tmp/k1', images, 'vite')
