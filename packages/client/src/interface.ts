/** Types that are the same wherever a program runs. */
export type { ClientErrorDetails } from './base/errors.ts'
export type { ClientOptions } from './base/options.ts'
export type { OnProgress, Progress } from './base/progress.ts'
export type { ByteStream, UploadContent, UploadStream } from './base/upload-body.ts'
export type { ClientOf, StreamOptions } from './client.ts'
export type * from './commands.ts'
export type { CallOptions, RequestOptions, ServiceImageHead, ServiceImageOf, ServiceOf, Upload } from './service.ts'
export type { OpenResult, ResultHead, ResultOf, SourceOf } from './source.ts'
