/** The same RGBA with its transparent pixels black, or itself where they are. */
export function clearTransparency(pixels: Buffer): Buffer {
  let cleared: Buffer | undefined
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at + 3] !== 0 || pixels.readUIntBE(at, 3) === 0) continue
    cleared ??= Buffer.from(pixels)
    cleared.fill(0, at, at + 3)
  }
  return cleared ?? pixels
}
