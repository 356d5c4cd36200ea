import type { PixpressError } from '@pixpress/core'

/** The message, led by the image's name where the message does not have it already. */
export function errorMessage({ file, message }: PixpressError): string {
  return file === undefined || message.includes(file) ? message : `${file}: ${message}`
}
