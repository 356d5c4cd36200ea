import { binsOf, bytesText, countText, element, meaningOfScore, rulerTrack, scaleOf, scoreText } from '@pixpress/face'
import type { Bin, Scale } from '@pixpress/face'
import type { PageData, PageImage } from '../src/report/page-shape.ts'
import { isBelowPromise } from './kinds.ts'
import type { Pictures } from './pictures.ts'

type Scored = PageImage & { readonly score: number }

const isScored = (image: PageImage): image is Scored => image.score !== undefined

/** Columns of a part of the scale: one for each score of a hundred, or of five hundred where the part is wider. */
const COLUMNS = 5

/** Images that the words of a part name. */
const MOST_NAMED = 3

/**
 * The ruler of scores: how many pictures lie where on the scale, beside what was promised. Each of its parts is a
 * button, which says more when it is pointed at or has the focus, and shows its pictures. Nothing where nothing was
 * compared.
 */
export function scores({ images }: PageData, { showOnly }: Pick<Pictures, 'showOnly'>): HTMLElement | undefined {
  const scored = images.filter(isScored).toSorted((a, b) => a.score - b.score)
  if (scored.length === 0) return undefined
  const promises = [...new Set(scored.flatMap(({ promise }) => promise ?? []))].sort((a, b) => a - b)
  const scale = scaleOf(promises)
  const bins = binsOf(scale)
  const usual = wholeOf(scored, images.length, promises)
  const says = element('p', { className: 'small dim scores-say', textContent: usual })
  const calm = (): void => void (says.textContent = usual)
  const most = Math.max(...bins.flatMap((bin) => columnsOf(bin, scored, scale).map(({ length }) => length)))
  const buttons = bins.map((bin) => {
    const own = scored.filter((image) => isIn(image, bin))
    const words = wordsOf(bin, own)
    const button = element(
      'button',
      {
        type: 'button',
        className: 'scores-bin',
        ariaLabel: words,
        disabled: own.length === 0,
        onclick: () => showOnly(`score ${bin.name}`, (image) => isScored(image) && isIn(image, bin)),
      },
      ...columnsOf(bin, scored, scale).map((column) => {
        const bar = element('i')
        bar.style.height = `${(100 * column.length) / most}%`
        bar.dataset['count'] = String(column.length)
        bar.dataset['kept'] = String(!column.some(isBelowPromise))
        return bar
      }),
    )
    const tell = (): void => void (says.textContent = words)
    for (const [begin, end] of [
      ['pointerenter', 'pointerleave'],
      ['focus', 'blur'],
    ] as const) {
      button.addEventListener(begin, tell)
      button.addEventListener(end, calm)
    }
    return button
  })
  const track = element('div', { className: 'scores-track' }, rulerTrack(scale, promises), exactMark())
  const chart = element(
    'div',
    { className: 'scores' },
    element('div', { className: 'scores-bins', role: 'group', ariaLabel: 'Pictures by score' }, ...buttons),
    track,
  )
  chart.style.setProperty('--bins', String(bins.length))
  return element(
    'section',
    { ariaLabel: 'Scores', className: 'section' },
    element('h2', { textContent: 'How they look' }),
    chart,
    says,
  )
}

const exactMark = (): HTMLElement =>
  element('span', { className: 'scores-exact', textContent: 'exact', ariaHidden: 'true' })

const isIn = ({ score }: Scored, { from, to }: Bin): boolean => score >= from && score < to

/** Divides the images of a part by score. Those below the scale stand in its first column. */
function columnsOf(bin: Bin, scored: readonly Scored[], scale: Scale): readonly (readonly Scored[])[] {
  const own = scored.filter((image) => isIn(image, bin))
  if (bin.from === 100) return [own]
  const width = scale.step / COLUMNS
  const least = bin.to - scale.step
  return Array.from({ length: COLUMNS }, (_, at) =>
    own.filter(({ score }) => Math.max(0, Math.min(COLUMNS - 1, Math.floor((score - least) / width))) === at),
  )
}

/** Says what the whole ruler shows. */
function wholeOf(scored: readonly Scored[], all: number, promises: readonly number[]): string {
  const exact = scored.filter(({ score }) => score >= 100).length
  const below = scored.filter(isBelowPromise).length
  const known = scored.filter(({ promise }) => promise !== undefined).length
  const some =
    all > scored.length
      ? `${countText(scored.length, 'image')} of ${all.toLocaleString('en')} were compared`
      : `${countText(scored.length, 'image')} compared`
  const parts = [exact > 0 ? `${some}, ${exact} of them exact.` : `${some}.`]
  if (known > 0) {
    const what = promises.length === 1 ? `the promise of ${promises[0]}` : 'their promises'
    const kept =
      known === scored.length
        ? `All keep ${what}.`
        : `${known === 1 ? 'The one with a promise keeps it' : `All ${known} with a promise keep it`}.`
    parts.push(below === 0 ? kept : `${countText(below, 'image')} below ${what}.`)
  }
  return parts.join(' ')
}

/** Says what lies in a part of the scale. */
function wordsOf(bin: Bin, own: readonly Scored[]): string {
  if (own.length === 0) return `Score ${bin.name}: none`
  const names = own
    .slice(0, MOST_NAMED)
    .map(({ source, score }) => `${source.replace(/^.*\//, '')} ${scoreText(score)}`)
  const more = own.length > MOST_NAMED ? ` and ${own.length - MOST_NAMED} more` : ''
  const below = own.filter(isBelowPromise).length
  const missed = below === 0 ? '' : ` ${below} below what was promised.`
  return `Score ${bin.name}: ${countText(own.length, 'image')}, ${bytesText(own.reduce((sum, { after }) => sum + after, 0))}. ${meaningOfScore(own[0]!.score)}${missed} ${names.join(', ')}${more}`
}
