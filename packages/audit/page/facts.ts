import type { PageFacts, PreloadFacts } from '../src/visit/page-facts.ts'
import { candidatesOf, pathOf, tagOf } from './element.ts'
import { imageFacts } from './images.ts'
import type { LargestPaint } from './paint.ts'
import { otherImages, styledImages } from './styles.ts'

/** Describes all images of the page as it is now. @param paint the largest paint so far */
export async function pageFacts(paint: LargestPaint | undefined): Promise<PageFacts> {
  const { backgrounds, others } = styledImages()
  return {
    images: await Promise.all([...document.images].map(imageFacts)),
    backgrounds,
    besides: [...new Set([...others, ...otherImages()])],
    preloads: [...document.querySelectorAll<HTMLLinkElement>('link[rel=preload][as=image]')].map(preloadFacts),
    ...(paint !== undefined && paint.url !== '' && { paint: paintFacts(paint) }),
    links: [...document.links].map(({ href }) => href),
  }
}

const preloadFacts = (link: HTMLLinkElement): PreloadFacts => ({
  tag: tagOf(link),
  url: link.href,
  candidates: candidatesOf(link.getAttribute('imagesrcset')),
  priority: link.fetchPriority,
  isMeant: link.media === '' || matchMedia(link.media).matches,
})

const paintFacts = ({ url, element }: LargestPaint): NonNullable<PageFacts['paint']> => ({
  url,
  path: element === null ? '' : pathOf(element),
  isImage: element?.localName === 'img',
})
