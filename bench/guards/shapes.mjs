/** Elements of the drawn pictures: SVG without text, because fonts differ between machines. */

export const svg = (width, height, body) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body}</svg>`

export const range = (count, draw) => Array.from({ length: count }, (_, index) => draw(index)).join('')

export const linear = (id, stops, way = 'x2="1" y2="1"') =>
  `<linearGradient id="${id}" x1="0" y1="0" ${way}>${stops.map((colour, at) => `<stop offset="${at / (stops.length - 1)}" stop-color="${colour}"/>`).join('')}</linearGradient>`

export const radial = (id, stops, place = '') =>
  `<radialGradient id="${id}" ${place}>${stops.map((colour, at) => `<stop offset="${at / (stops.length - 1)}" ${paint(colour)}/>`).join('')}</radialGradient>`

/** A colour of six or, with an opacity, eight digits. */
const paint = (colour) =>
  colour.length < 9
    ? `stop-color="${colour}"`
    : `stop-color="${colour.slice(0, 7)}" stop-opacity="${Number.parseInt(colour.slice(7), 16) / 255}"`

export const blur = (id, deviation) =>
  `<filter id="${id}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${deviation}"/></filter>`

/** Strokes like those of letters: stems, bowls and slants. */
export const letters = (colour, width) =>
  range(5, (row) =>
    range(
      6,
      (column) =>
        `<g transform="translate(${12 + column * 22} ${12 + row * 26})" fill="none" stroke="${colour}" stroke-width="${width}">${
          [
            '<path d="M1 16 L7 1 L13 16 M4 11 H11"/>',
            '<path d="M2 1 V16 M2 8 A4 4 0 1 1 2 15.5"/>',
            '<circle cx="7" cy="9" r="6"/>',
          ][(row + column) % 3]
        }</g>`,
    ),
  )
