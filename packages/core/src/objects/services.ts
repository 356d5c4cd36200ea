/** The list of object stores: one line each, by the `service` of their options. */
export { azure } from './azure.ts'
export { gcs } from './gcs.ts'
export { s3 } from './s3.ts'
