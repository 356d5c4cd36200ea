const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))

const isInView = (image: HTMLImageElement): boolean =>
  image.currentSrc !== '' && image.getClientRects().length > 0 && image.getBoundingClientRect().top < innerHeight

/** Decodes an image. One that is broken counts as decoded, as nothing more will be painted of it. */
export const decoded = (image: HTMLImageElement): Promise<void> => image.decode().catch(() => undefined)

/** Waits until the images of the first view are painted. The browser reports a paint only afterwards. */
export async function untilPainted(): Promise<void> {
  await Promise.race([Promise.all([...document.images].filter(isInView).map(decoded)), pause(3000)])
  for (let frame = 0; frame < 3; frame++) await Promise.race([nextFrame(), pause(500)])
  await pause(50)
}

/** Scrolls to the end in steps, so that everything lazy is loaded, and back. */
export async function scrollThrough(): Promise<void> {
  const step = Math.max(200, innerHeight * 0.8)
  for (let y = 0, count = 0; y < document.documentElement.scrollHeight && count < 100; y += step, count++) {
    scrollTo({ top: y, behavior: 'instant' })
    await pause(40)
  }
  scrollTo({ top: 0, behavior: 'instant' })
  await pause(40)
}
