import { photo, transparentGraphic } from '@pixpress/testkit'

/** Made once per test file: encoding takes longer than everything else. */
export interface TestImages {
  /** 120 × 80, of a quality that leaves something to save. */
  readonly jpeg: Buffer
  /** 120 × 80, opaque. */
  readonly png: Buffer
  /** 96 × 64, partly transparent. */
  readonly transparent: Buffer
}

export async function makeImages(): Promise<TestImages> {
  const picture = photo(120, 80)
  const [jpeg, png, transparent] = await Promise.all([
    picture.jpeg(100),
    picture.png(),
    transparentGraphic(96, 64).png(),
  ])
  return { jpeg, png, transparent }
}
