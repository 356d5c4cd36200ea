/** The parts that all pages of pixpress are made of: the server's, the report, the inspector. */
export { createComparison } from './comparison.ts'
export type { Comparison } from './comparison.ts'
export type { Picture, Side } from './stage.ts'
export { choice, element, labelled } from './element.ts'
export { codeToCopy } from './copy.ts'
export { segmentedButtons } from './segments.ts'
export { bytesText, changeText, countText } from './figures.ts'
export { explainScore, scoreText, typeLabel } from './words.ts'
