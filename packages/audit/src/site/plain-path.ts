/** Decodes the path of a URL to compare it with names of files. Malformed escapes stay. */
export const plainPath = (text: string): string => text.replaceAll(/(?:%[\da-f]{2})+/gi, decodedOrSame)

function decodedOrSame(escapes: string): string {
  try {
    return decodeURIComponent(escapes)
  } catch {
    return escapes
  }
}
