/** A line on the terminal that shows how far the images are. */
export interface Progress {
  begin(): void
  end(): void
  clear(): void
}

export function createProgress(_enabled: boolean): Progress {
  return { begin: () => undefined, end: () => undefined, clear: () => undefined }
}
