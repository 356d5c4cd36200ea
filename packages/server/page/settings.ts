/** Operations besides compression, in the interface's own words. */
export interface Commands {
  readonly convert?: { readonly type: string }
  readonly resize?: { readonly method: string; readonly width?: number; readonly height?: number }
  readonly transform?: { readonly background: string }
}

/** The settings by which each picture is made. */
export interface Settings {
  /** `auto` compares types; empty for the type of the upload. */
  readonly type: string
  /** In the word of the server's query. */
  readonly quality: string
  /** Everything but the type. */
  readonly commands: Commands
}

/** The settings, or the reason why there are none. */
export type Asked = { readonly settings: Settings } | { readonly problem: string }

/** The qualities of the slider, from its left end. */
export const QUALITIES = [
  {
    name: 'Small',
    word: 'small',
    says: 'is the smallest. Up close a difference shows; every score is 60 or more.',
  },
  {
    name: 'Balanced',
    word: 'balanced',
    says: 'shows a difference to those who look for it; every score is 70 or more.',
  },
  { name: 'High', word: 'high', says: 'looks the same side by side; every score is 80 or more.' },
  { name: 'Exact', word: 'lossless', says: 'keeps every pixel as it is.' },
] as const

/** The quality that the server keeps where nothing is said. */
export const USUAL_QUALITY = 'high'

/** Reads the form. */
export function readSettings(form: FormData): Asked {
  const text = (name: string): string => String(form.get(name) ?? '')
  const [width, height] = [text('width'), text('height')].map(pixels)
  if (width === 'wrong' || height === 'wrong') return { problem: 'Write width and height as whole numbers of pixels.' }
  const resize = resizeOf(text('method'), width, height)
  if (resize === 'incomplete') return { problem: 'A crop needs a width and a height.' }
  const background = text('background')
  return {
    settings: {
      type: text('type'),
      quality: QUALITIES[Number(text('quality'))]?.word ?? USUAL_QUALITY,
      commands: {
        ...(resize !== undefined && { resize }),
        ...(background !== '' && { transform: { background } }),
      },
    },
  }
}

function pixels(text: string): number | 'wrong' | undefined {
  if (text === '') return undefined
  const number = Number(text)
  return Number.isSafeInteger(number) && number >= 1 ? number : 'wrong'
}

/** With one of the two, the other follows from the picture, whatever is said of the crop. */
function resizeOf(
  method: string,
  width: number | undefined,
  height: number | undefined,
): Commands['resize'] | 'incomplete' | undefined {
  if (width !== undefined && height !== undefined) return { method, width, height }
  if (method !== 'fit') return 'incomplete'
  if (width !== undefined) return { method: 'scale', width }
  return height === undefined ? undefined : { method: 'scale', height }
}
