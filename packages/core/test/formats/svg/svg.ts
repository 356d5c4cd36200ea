/** A document around some content. */
export function svg(content: string, attributes = ''): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`
}
