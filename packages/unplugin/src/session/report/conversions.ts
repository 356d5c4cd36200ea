import type { Conversion, ReportImage, Why } from '@pixpress/core/report'

/** Holds what is known of an image's type. */
interface KnownConversion {
  readonly conversion: Conversion
  readonly reason: string | undefined
  /** Tells whether it is only to be expected. */
  readonly isExpected: boolean
}

/** Holds what became of the types of a build's images. */
export interface Conversions {
  /** Notes what became of an image's type, at its place in the output. `ReportLog` documents it. */
  outcome(id: string, conversion: Conversion, reason?: string): void
  /** Notes what is to be expected of it, which an outcome beats that is noted before or afterwards. */
  expected(id: string, conversion: Conversion, reason?: string): void
  /** Adds what is known to the images, whose keys are identities. */
  addedTo(images: ReadonlyMap<string, ReportImage>): ReadonlyMap<string, ReportImage>
}

/** Makes the notes of one build. */
export function createConversions(): Conversions {
  const known = new Map<string, KnownConversion>()
  return {
    outcome(id, conversion, reason) {
      const former = known.get(id)?.conversion
      // It has a fallback where it can have one, whatever its other places are.
      if (former === 'fallback' || former === 'offered') return
      known.set(id, { conversion, reason, isExpected: false })
    },
    expected(id, conversion, reason) {
      if (known.get(id)?.isExpected === false) return
      known.set(id, { conversion, reason, isExpected: true })
    },
    addedTo(images) {
      if (known.size === 0) return images
      return new Map([...images].map(([id, image]) => [id, withConversion(image, known.get(id))]))
    },
  }
}

function withConversion(image: ReportImage, known: KnownConversion | undefined): ReportImage {
  if (known === undefined) return image
  const { conversion, reason } = known
  if (conversion !== 'kept' || reason === undefined) return { ...image, conversion }
  const why: Why = image.why ?? { because: 'own-type', rule: reason }
  return { ...image, conversion, typeKept: reason, why }
}
