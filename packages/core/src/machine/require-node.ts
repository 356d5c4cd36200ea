import { PixpressError } from '../base/errors.ts'
import { oldNode } from './node-version.ts'

// Imported first by every entry: what is loaded after it may need what an old Node lacks. Bun names a Node that it is
// not.
const problem = process.versions.bun === undefined ? oldNode(process.versions.node) : undefined
if (problem !== undefined) throw new PixpressError('MACHINE_UNFIT', problem)
