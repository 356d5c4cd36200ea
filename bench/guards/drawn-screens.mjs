import { blur, letters, linear, radial, range, svg } from './shapes.mjs'

/** A panel with a soft shadow on a page. */
const panel = (page, face, shade, deviation) =>
  svg(
    160,
    140,
    `<defs>${blur('s', deviation)}</defs><rect width="160" height="140" fill="${page}"/><rect x="-20" y="-20" width="140" height="122" fill="${shade.slice(0, 7)}" opacity="${Number.parseInt(shade.slice(7), 16) / 255}" filter="url(#s)"/>
     <rect x="-20" y="-20" width="136" height="118" fill="${face}" stroke="#bbb"/><rect x="20" y="24" width="70" height="6" fill="#8a8f98"/><rect x="20" y="42" width="50" height="6" fill="#b8bcc4"/>`,
  )

/** A grid of faint lines, and a curve of another colour. */
const chart = (page, grid, curve, step) =>
  svg(
    160,
    150,
    `<rect width="160" height="150" fill="${page}"/>${range(Math.floor(140 / step), (i) => `<path d="M8 ${10 + i * step}.5 H152" stroke="${grid}"/>`)}
     <path d="M8 120 L36 84 L64 98 L92 50 L120 66 L152 22" fill="none" stroke="${curve}" stroke-width="2"/>`,
  )

const page = (ground, colour, width) =>
  svg(150, 150, `<rect width="150" height="150" fill="${ground}"/>${letters(colour, width)}`)

/**
 * Drawings of elements that screens consist of: shadows, glows, faint lines and thin letters, on light and on dark
 * grounds.
 */
export const DRAWN_SCREENS = {
  'panel-light': panel('#ffffff', '#ffffff', '#00000059', 6),
  'panel-grey': panel('#eef0f3', '#ffffff', '#00000040', 9),
  'panel-dark': panel('#1d2027', '#2a2e38', '#000000b0', 8),
  'wide-shadow': panel('#ffffff', '#f4f4f4', '#1f2a4430', 14),
  'bare-shadow': svg(
    160,
    140,
    `<defs>${blur('s', 8)}</defs><rect x="30" y="34" width="100" height="76" rx="10" fill="#000" opacity="0.45" filter="url(#s)"/><rect x="30" y="28" width="100" height="76" rx="10" fill="#fff"/><rect x="42" y="42" width="50" height="7" fill="#4b5563"/>`,
  ),
  'bare-glow': svg(
    160,
    160,
    `<defs>${radial('g', ['#22d3ee', '#22d3ee80', '#22d3ee00'])}</defs><circle cx="80" cy="80" r="78" fill="url(#g)"/><circle cx="80" cy="80" r="20" fill="#ecfeff"/>`,
  ),
  'warm-glow': svg(
    160,
    160,
    `<defs>${radial('g', ['#f59e0b', '#b4530980', '#78350f00'])}</defs><rect width="160" height="160" fill="#0a0a0b"/><circle cx="80" cy="86" r="80" fill="url(#g)"/><rect x="56" y="70" width="48" height="30" rx="6" fill="#111"/>`,
  ),
  'violet-hero': svg(
    160,
    120,
    `<defs>${radial('g', ['#7c3aed', '#312e8100'], 'cx="0.2" cy="0" r="0.9"')}${radial('h', ['#0ea5e9', '#0c4a6e00'], 'cx="1" cy="1" r="0.8"')}</defs><rect width="160" height="120" fill="#0b1020"/><rect width="160" height="120" fill="url(#g)"/><rect width="160" height="120" fill="url(#h)"/><rect x="30" y="50" width="70" height="8" rx="4" fill="#fff"/>`,
  ),
  'pale-hero': svg(
    160,
    120,
    `<defs>${linear('a', ['#fdf2f8', '#eff6ff', '#ecfdf5'])}</defs><rect width="160" height="120" fill="url(#a)"/><rect x="20" y="40" width="90" height="9" rx="4" fill="#1f2937"/><rect x="20" y="60" width="60" height="5" rx="2" fill="#6b7280"/>`,
  ),
  'grey-slope': svg(
    160,
    120,
    `<defs>${linear('a', ['#f5f5f5', '#d9d9d9'], 'x2="1" y2="0.3"')}</defs><rect width="160" height="120" fill="url(#a)"/>`,
  ),
  'night-slope': svg(
    160,
    120,
    `<defs>${linear('a', ['#0f172a', '#1e293b', '#0b1120'], 'x2="0" y2="1"')}</defs><rect width="160" height="120" fill="url(#a)"/><circle cx="120" cy="30" r="10" fill="#e2e8f0"/>`,
  ),
  'chart-4': chart('#ffffff', '#fbfbfb', '#2563eb', 20),
  'chart-6': chart('#ffffff', '#f9f9f9', '#16a34a', 24),
  'chart-9': chart('#ffffff', '#f6f6f6', '#dc2626', 16),
  'chart-12': chart('#f7f8fa', '#ebecee', '#7c3aed', 20),
  'chart-dark-5': chart('#14171d', '#191c22', '#38bdf8', 20),
  'chart-dark-9': chart('#101318', '#191c21', '#f472b6', 24),
  'chart-dark-16': chart('#0d1117', '#1d2127', '#3fb950', 20),
  'rules-light': svg(
    160,
    150,
    `<rect width="160" height="150" fill="#fff"/>${range(9, (i) => `<path d="M0 ${8 + i * 16}.5 H160" stroke="#${['f8f8f8', 'f4f4f6', 'eeeeee'][i % 3]}"/><rect x="10" y="${12 + i * 16}" width="${40 + ((i * 29) % 60)}" height="7" rx="1" fill="#${['2b2f36', '7a808a', 'b5bac2'][i % 3]}"/>`)}<path d="M120.5 0 V150" stroke="#f6f6f6"/>`,
  ),
  'rules-dark': svg(
    160,
    150,
    `<rect width="160" height="150" fill="#16181d"/>${range(9, (i) => `<path d="M0 ${8 + i * 16}.5 H160" stroke="#${['1c1e24', '20232a', '262a32'][i % 3]}"/><rect x="10" y="${12 + i * 16}" width="${40 + ((i * 29) % 60)}" height="7" rx="1" fill="#${['d8dbe0', '8a909a', '4a4f58'][i % 3]}"/>`)}<path d="M120.5 0 V150" stroke="#1d2026"/>`,
  ),
  'ghost-letters': page('#ffffff', '#e8eaee', 1.3),
  'grey-letters': page('#f4f5f7', '#9aa1ad', 1.2),
  'blue-letters': page('#ffffff', '#93b4f5', 1.4),
  'rose-letters': page('#fff7f7', '#f0a5b0', 1.4),
  'dim-letters': page('#101217', '#3a4150', 1.4),
  'night-letters': page('#0d1b2a', '#6f93b8', 1.3),
  'thin-cards': svg(
    160,
    150,
    `<rect width="160" height="150" fill="#fafafa"/>${range(6, (i) => `<rect x="${8.5 + (i % 3) * 50}" y="${10.5 + Math.floor(i / 3) * 68}" width="44" height="58" rx="6" fill="#fff" stroke="#${['efefef', 'ececf0', 'f2f2f2'][i % 3]}"/><circle cx="${22 + (i % 3) * 50}" cy="${26 + Math.floor(i / 3) * 68}" r="6" fill="#${['fde8d8', 'e3ecfb', 'e6f4e6'][i % 3]}"/>`)}`,
  ),
  'dark-cards': svg(
    160,
    150,
    `<rect width="160" height="150" fill="#0e1014"/>${range(6, (i) => `<rect x="${8.5 + (i % 3) * 50}" y="${10.5 + Math.floor(i / 3) * 68}" width="44" height="58" rx="6" fill="#12141a" stroke="#${['1a1d24', '1d2028', '171a20'][i % 3]}"/><circle cx="${22 + (i % 3) * 50}" cy="${26 + Math.floor(i / 3) * 68}" r="6" fill="#${['33261c', '1b2638', '1c2e20'][i % 3]}"/>`)}`,
  ),
  mist: svg(
    160,
    120,
    `<defs>${blur('b', 12)}${linear('a', ['#dfe5ea', '#f1f3f5'], 'x2="0" y2="1"')}</defs><rect width="160" height="120" fill="url(#a)"/><ellipse cx="50" cy="90" rx="70" ry="22" fill="#c5ced6" filter="url(#b)"/><ellipse cx="130" cy="60" rx="40" ry="16" fill="#f8fafb" filter="url(#b)"/>`,
  ),
  'night-mist': svg(
    160,
    120,
    `<defs>${blur('b', 12)}</defs><rect width="160" height="120" fill="#0c1016"/><ellipse cx="50" cy="90" rx="70" ry="22" fill="#26303c" filter="url(#b)"/><ellipse cx="130" cy="50" rx="40" ry="16" fill="#1b2733" filter="url(#b)"/>`,
  ),
}
