import { codeToCopy, element, bytesText, countText, typeLabel } from '@pixpress/face'
import type { PageData, PageImage } from '../src/report/page-shape.ts'
import type { Kind } from './kinds.ts'

/** Something to do, and what it is worth. */
interface Step {
  /** Bytes, by which steps are put in order; 0 where they are not known. */
  readonly saves: number
  /** Bytes that are delivered today. */
  readonly now: number
  readonly images: number
  readonly title: string
  readonly says: string
  /** The button that does it, or shows the pictures that it is about. */
  readonly act: HTMLElement | undefined
}

/**
 * Lists what to do next, by bytes, each with its button; broken files come last. Nothing where there is nothing.
 * @param show filters the pictures
 */
export function steps(data: PageData, show: (kind: Kind) => void): HTMLElement | undefined {
  const { failures } = data
  const list = [setting(data), photographs(data, show), copies(data, show)]
    .filter((each) => each !== undefined)
    .sort((a, b) => b.saves - a.saves)
    .map(line)
  if (list.length === 0 && failures.length === 0) return undefined
  return element(
    'section',
    { ariaLabel: 'What to do next', className: 'section' },
    element(
      'div',
      { className: 'head' },
      element('h2', { textContent: 'What to do next' }),
      list.length > 1
        ? element('p', {
            className: 'small dim',
            textContent: 'Ordered by bytes. A picture may be in two lines, so do not add them up.',
          })
        : undefined,
    ),
    element('ol', { className: 'steps' }, ...list, ...brokenLines(failures)),
  )
}

function line({ saves, now, images, title, says, act }: Step): HTMLElement {
  return element(
    'li',
    {},
    element(
      'p',
      { className: 'gain', textContent: saves > 0 ? `−${bytesText(saves)}` : bytesText(now) },
      element('small', { textContent: `${saves > 0 ? '' : 'in '}${countText(images, 'image')}` }),
    ),
    element(
      'p',
      {},
      element('strong', { textContent: title }),
      ' ',
      element('span', { className: 'dim', textContent: says }),
    ),
    act,
  )
}

/** Broken files that are listed one by one; builds of a broken folder may have hundreds. */
const MOST_BROKEN = 20

function brokenLines(failures: PageData['failures']): HTMLElement[] {
  const shown = failures.slice(0, MOST_BROKEN)
  const lines = shown.map(({ source, code, message, isBroken }, at) => {
    const made = element(
      'li',
      {},
      element('p', { className: 'gain bad' }, element('span', { className: 'mark' }), isBroken ? ' Broken' : ' Failed'),
      element(
        'p',
        { title: code },
        element('strong', { textContent: source }),
        ' ',
        element('span', { className: 'dim', textContent: `${message} It is delivered as it is.` }),
      ),
      codeToCopy(source, `the path of ${source}`),
    )
    if (at === 0) made.id = 'broken'
    return made
  })
  const more = failures.length - shown.length
  return more > 0 ? [...lines, element('li', {}, element('p', { textContent: `and ${more} more` }))] : lines
}

/** The setting that saves most. */
function setting({ step, worth }: PageData): Step | undefined {
  // That of a person, one file in place of several, has a line of its own.
  if (step === undefined || worth === undefined || step.reader === 'person') return undefined
  const { saves, images, reader } = step
  const titles: Readonly<Record<typeof reader, string>> = {
    options: step.setting.startsWith('convert') ? 'Deliver newer types.' : 'Write this option.',
    without: `Leave out ${step.setting}.`,
    command: 'Run the command.',
  }
  const code = reader === 'options' ? `pixpress({ ${step.setting} })` : reader === 'command' ? step.setting : undefined
  const says = `${worth.charAt(0).toUpperCase()}${worth.slice(1).replaceAll('`', '')}.`
  return {
    saves,
    now: saves,
    images,
    title: titles[reader],
    says,
    act: code === undefined ? undefined : codeToCopy(code),
  }
}

function photographs({ images }: PageData, show: (kind: Kind) => void): Step | undefined {
  const found = images.filter((image) => image.isPhotoAsPng === true)
  if (found.length === 0) return undefined
  const known = found.filter(({ other, after }) => other !== undefined && other.size < after)
  const types = [...new Set(known.map(({ other }) => typeLabel(other!.type)))].sort().join(' and ')
  return {
    saves: known.reduce((sum, { after, other }) => sum + after - other!.size, 0),
    now: bytesOf(found),
    images: found.length,
    title: found.length === 1 ? 'A photograph is delivered as PNG.' : 'Photographs are delivered as PNG.',
    says: `They take ${bytesText(bytesOf(found))}. As ${types || 'AVIF, WebP or JPEG'} they take a fraction of that.`,
    act: showButton(found.length, () => show('photographs as PNG')),
  }
}

function copies({ images }: PageData, show: (kind: Kind) => void): Step | undefined {
  const sets = new Map<string, PageImage>()
  for (const image of images)
    if (image.duplicates !== undefined) sets.set([image.source, ...image.duplicates].sort().join('\n'), image)
  if (sets.size === 0) return undefined
  const saves = [...sets.values()].reduce((sum, { after, duplicates }) => sum + after * duplicates!.length, 0)
  const first = [...sets.keys()][0]!.replaceAll('\n', ' = ')
  const more = sets.size > 1 ? ` and ${sets.size - 1} more` : ''
  return {
    saves,
    now: saves,
    images: sets.size,
    title: 'The same bytes have several names.',
    says: `Browsers load them once for each: ${first}${more}.`,
    act: showButton(sets.size, () => show('under several names')),
  }
}

const bytesOf = (images: readonly PageImage[]): number => images.reduce((sum, { after }) => sum + after, 0)

const showButton = (count: number, onclick: () => void): HTMLElement =>
  element('button', {
    type: 'button',
    className: 'button',
    textContent: count === 1 ? 'Show it' : `Show these ${count}`,
    onclick,
  })
