import { atWidth } from '@pixpress/client/delivery'

/** The signature of a template holds for its widths alone, so that nothing else of an image can be changed. */
export const transform = (src, { width }) => (width === undefined ? src : atWidth(String(src), Number(width)))
