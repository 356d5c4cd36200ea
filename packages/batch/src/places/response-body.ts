/** Reads a body up to some bytes; the rest is not fetched. */
export async function readBodyUpTo(
  response: Response,
  most: number,
): Promise<{ readonly body: Uint8Array; readonly isCut: boolean }> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    parts.push(part as Uint8Array)
    size += (part as Uint8Array).length
    if (size > most) return { body: Buffer.concat(parts, most), isCut: true }
  }
  return { body: Buffer.concat(parts, size), isCut: false }
}
