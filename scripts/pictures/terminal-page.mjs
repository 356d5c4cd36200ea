/** Colours by the codes of `select graphic rendition` (ECMA-48) that the report uses; 39 ends them. */
const COLOURS = { 31: 'red', 32: 'green', 33: 'yellow', 36: 'cyan' }

/** Text with the codes of a terminal's colours, as HTML. */
export function colouredHtml(text) {
  const [plain, ...styled] = escaped(text).split('\u001B[')
  // A terminal has one weight and one colour at a time, and 22 ends both bold and dim, however often either
  // was begun.
  let style = { bold: false, dim: false, colour: '' }
  const html = styled.map((part) => {
    const end = part.indexOf('m')
    style = { ...style, ...changeOf(part.slice(0, end)) }
    const classes = [style.bold && 'bold', style.dim && 'dim', style.colour].filter(Boolean).join(' ')
    const rest = part.slice(end + 1)
    return classes === '' || rest === '' ? rest : `<span class="${classes}">${rest}</span>`
  })
  return [plain, ...html].join('')
}

const escaped = (text) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Returns what a code changes of the style. */
function changeOf(code) {
  if (code === '1') return { bold: true }
  if (code === '2') return { dim: true }
  if (code === '22') return { bold: false, dim: false }
  if (code === '39') return { colour: '' }
  return code === '0' || code === '' ? { bold: false, dim: false, colour: '' } : { colour: COLOURS[code] ?? '' }
}

const CSS = `
  body { margin: 0; }
  main { display: inline-flex; gap: 28px; padding: 28px; background: linear-gradient(120deg, #cfe4e6, #f3e3c6); }
  .window { border-radius: 10px; overflow: hidden; box-shadow: 0 10px 30px #17343d59; }
  .bar { display: flex; gap: 7px; padding: 10px 12px; }
  .bar i { width: 11px; height: 11px; border-radius: 50%; background: var(--dots); }
  .terminal { background: #14191f; color: #d5dbe1; --dots: #39424d; }
  pre { margin: 0; padding: 4px 20px 20px; font: 13px/19px 'DejaVu Sans Mono', monospace; }
  .bold { font-weight: bold; color: #fff; }
  .dim { color: #7f8b97; }
  .green { color: #6fd08c; }
  .yellow { color: #e6c35c; }
  .red { color: #ef7b72; }
  .cyan { color: #6cc7d9; }
  .browser { background: #fff; --dots: #d3d8dc; display: flex; flex-direction: column; }
  .browser img { display: block; width: 600px; flex: 1 1 0; min-height: 0; object-fit: cover; object-position: top; }
`

/** A terminal alone, as wide as the window, in the colours of day or night. */
const PLAIN = `
  body { background: #ffffff; }
  .plain { color: #191918; font: 13px/19px 'DejaVu Sans Mono', monospace; padding: 24px; }
  .plain .bold { color: #000; }
  .plain .dim { color: #696964; }
  .plain .green { color: #17652f; }
  .plain .yellow { color: #7d5200; }
  .plain .red { color: #a8201a; }
  .plain .cyan { color: #0f5f78; }
  @media (prefers-color-scheme: dark) {
    body { background: #14191f; }
    .plain { color: #d5dbe1; }
    .plain .bold { color: #fff; }
    .plain .dim { color: #8b97a3; }
    .plain .green { color: #6fd08c; }
    .plain .yellow { color: #e6c35c; }
    .plain .red { color: #ef7b72; }
    .plain .cyan { color: #6cc7d9; }
  }
`

const document = (content) => `<!doctype html><meta charset="utf-8"><style>${CSS}</style><main>${content}</main>`

const BAR = '<div class="bar"><i></i><i></i><i></i></div>'

const COMMAND = '<span class="green">$</span> <span class="bold">vite build</span>\n\n'

const terminalWindow = (report) => {
  return `<div class="window terminal">${BAR}<pre>${COMMAND}${colouredHtml(report)}</pre></div>`
}

/** A page that is a terminal with the report. */
export const plainTerminal = (report) =>
  `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><style>${CSS}${PLAIN}</style><pre class="plain">${COMMAND}${colouredHtml(report)}</pre>`

/** A page that shows the report beside the page that was built, given as the bytes of a PNG. */
export const pictures = (report, page) =>
  document(
    `${terminalWindow(report)}<div class="window browser">${BAR}<img src="data:image/png;base64,${page.toString('base64')}"></div>`,
  )
