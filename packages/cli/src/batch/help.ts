import { OPERATION_FLAGS, describeFlags } from '@pixpress/core/internal'
import { BATCH_FLAGS, WORK_FLAGS } from './flags.ts'

const isOperation = (name: string): boolean => Object.hasOwn(OPERATION_FLAGS, name)
const entries = Object.entries(BATCH_FLAGS)

/** Help of `pixpress batch`. */
export const BATCH_HELP: string = `Makes the images of a bucket, a folder or a list smaller, on any number of machines.

  pixpress batch --from PLACE --to PLACE [options]

The images are listed into chunks. This machine works on them; with --queue all that run 'pixpress work' do, and with --shard each
machine does a part. Results are created and never replace anything, each chunk that is done has a record in the destination, and the
same command goes on with what is left.

Examples:
  pixpress batch --from s3://shop/in --to s3://shop/out --convert webp          on this machine
  pixpress batch --from s3://shop/in --to s3://shop/out --queue redis://queue   on all that run 'pixpress work'
  pixpress batch --from photos --to small --shard auto                          a part, as the runner says
  pixpress batch --from photos --to small --dry-run                             what it would take
  pixpress batch --to small --status                                            how far it is

${describeFlags(Object.fromEntries(entries.filter(([name]) => !isOperation(name))))}

Operations, as of 'pixpress compress':
${describeFlags(Object.fromEntries(entries.filter(([name]) => isOperation(name))))}

Exit codes: 0 all good, 1 some images failed or are left, 2 wrong usage.
`

/** Help of `pixpress work`. */
export const WORK_HELP: string = `Works on the chunks that 'pixpress batch --queue' has listed, until it is stopped.

  pixpress work --queue URL [options]

Run it on as many machines as you like, with the credentials of the buckets in their environment. A machine that is killed costs
nothing but time: its chunk goes to another one.

${describeFlags(WORK_FLAGS)}

Exit codes: 0 all good, 2 wrong usage, 130 and 143 stopped by a signal.
`
