/** Pixels of a thumbnail's longer side: twice those that the list shows, for dense screens. */
const SIDE = 192

/**
 * Makes a small picture of a file, so that a hundred large ones do not stand decoded in memory.
 * @returns a URL; `undefined` for what the browser cannot show
 */
export async function thumbnailOf(file: Blob): Promise<string | undefined> {
  // A drawing has no pixels to be decoded, and is small.
  if (file.type === 'image/svg+xml') return URL.createObjectURL(file)
  try {
    const whole = await createImageBitmap(file)
    const scale = Math.min(1, SIDE / Math.max(whole.width, whole.height))
    const [width, height] = [whole.width, whole.height].map((side) => Math.max(1, Math.round(side * scale)))
    const canvas = new OffscreenCanvas(width!, height!)
    canvas.getContext('2d')!.drawImage(whole, 0, 0, width!, height!)
    whole.close()
    return URL.createObjectURL(await canvas.convertToBlob())
  } catch {
    return undefined
  }
}
