import { DRAWN_ICONS } from './drawn-icons.mjs'
import { DRAWN_SCREENS } from './drawn-screens.mjs'
import { blur, letters, linear, range, svg } from './shapes.mjs'

/**
 * Pictures that are drawn for the guards, with elements on which real ones failed: gradients in saturated colours, soft
 * shadows, pale letters, faint lines, small spots of a colour, and fog. They are shapes without text, because fonts
 * differ between machines.
 */
export const DRAWN = {
  petals: svg(
    144,
    144,
    `<defs>${linear('a', ['#ff2d78', '#7b1fe0'])}${linear('b', ['#ffb400', '#ff2d78'])}${linear('c', ['#1e90ff', '#23d5ab'])}</defs>
     <g transform="translate(72 72)">${range(6, (i) => `<ellipse cx="0" cy="-34" rx="22" ry="34" fill="url(#${'abc'[i % 3]})" transform="rotate(${i * 60})" opacity="0.92"/>`)}</g>`,
  ),
  'rounded-icon': svg(
    160,
    160,
    `<defs>${linear('a', ['#1c64f2', '#9061f9'])}</defs><rect x="4" y="4" width="152" height="152" rx="36" fill="url(#a)"/>
     <path d="M48 112 L80 44 L112 112 Z" fill="#fff" opacity="0.9"/><circle cx="112" cy="52" r="12" fill="#fde68a"/>`,
  ),
  'soft-card': svg(
    160,
    160,
    `<defs>${blur('s', 7)}</defs><rect width="160" height="160" fill="#f7f8fa"/><rect x="28" y="34" width="104" height="96" rx="10" fill="#000" opacity="0.16" filter="url(#s)"/>
     <rect x="28" y="28" width="104" height="96" rx="10" fill="#fff"/><rect x="40" y="42" width="60" height="6" rx="3" fill="#d7dbe2"/><rect x="40" y="56" width="80" height="5" rx="2" fill="#eceef2"/>`,
  ),
  'pale-letters': svg(150, 150, `<rect width="150" height="150" fill="#fff"/>${letters('#c9cdd4', 1.6)}`),
  'dark-letters': svg(150, 150, `<rect width="150" height="150" fill="#15181e"/>${letters('#8b93a1', 1.6)}`),
  'chart-grid': svg(
    160,
    160,
    `<rect width="160" height="160" fill="#fff"/>${range(7, (i) => `<path d="M10 ${20 + i * 20}.5 H150" stroke="#f3f4f6"/>`)}
     ${range(7, (i) => `<path d="M${20 + i * 20}.5 10 V150" stroke="#f7f7f9"/>`)}<path d="M10 130 L40 90 L70 104 L100 52 L150 30" fill="none" stroke="#2563eb" stroke-width="2"/>`,
  ),
  bear: svg(
    150,
    150,
    `<rect width="150" height="150" fill="#e8f0e4"/><circle cx="75" cy="80" r="52" fill="#f1e3d0"/><circle cx="36" cy="40" r="16" fill="#f1e3d0"/><circle cx="114" cy="40" r="16" fill="#f1e3d0"/>
     <circle cx="58" cy="70" r="5" fill="#333"/><circle cx="92" cy="70" r="5" fill="#333"/><ellipse cx="75" cy="88" rx="6" ry="4.5" fill="#8a5a3c"/><path d="M62 104 Q75 114 88 104" stroke="#444" stroke-width="2" fill="none"/>
     <circle cx="46" cy="92" r="5" fill="#f3c6bd"/><circle cx="104" cy="92" r="5" fill="#f3c6bd"/>`,
  ),
  rings: svg(
    150,
    150,
    `<defs><radialGradient id="g"><stop offset="0.55" stop-color="#5b3df5"/><stop offset="0.8" stop-color="#5b3df5" stop-opacity="0.5"/><stop offset="1" stop-color="#5b3df5" stop-opacity="0"/></radialGradient></defs>
     <rect width="150" height="150" fill="#fff"/><circle cx="75" cy="75" r="66" fill="url(#g)"/><circle cx="75" cy="75" r="28" fill="none" stroke="#fff" stroke-width="6"/>`,
  ),
  'thin-slants': svg(
    150,
    150,
    `<rect width="150" height="150" fill="#fff"/>${range(9, (i) => `<path d="M${8 + i * 15} 140 L${30 + i * 13} 10" stroke="${['#111', '#e11d48', '#94a3b8'][i % 3]}" stroke-width="${1 + (i % 3) * 0.6}"/>`)}`,
  ),
  glow: svg(
    160,
    160,
    `<defs><radialGradient id="g"><stop offset="0" stop-color="#3b5bdb"/><stop offset="1" stop-color="#3b5bdb" stop-opacity="0"/></radialGradient></defs>
     <rect width="160" height="160" fill="#0b0e17"/><circle cx="60" cy="60" r="80" fill="url(#g)" opacity="0.7"/><rect x="84" y="92" width="60" height="40" rx="8" fill="#151a28" stroke="#1f2638"/>`,
  ),
  fog: svg(
    160,
    160,
    `<defs>${linear('a', ['#cfd6de', '#e9ecef', '#dfe3ea'], 'x2="0" y2="1"')}${blur('b', 9)}</defs><rect width="160" height="160" fill="url(#a)"/>
     <path d="M-10 120 Q40 80 90 112 T190 96 V180 H-10 Z" fill="#b9c2cc" filter="url(#b)"/><circle cx="110" cy="44" r="12" fill="#eef1f4" filter="url(#b)"/>`,
  ),
  'pale-discs': svg(
    160,
    160,
    `<rect width="160" height="160" fill="#f4f5fb"/>${range(7, (i) => `<circle cx="${20 + ((i * 53) % 130)}" cy="${24 + ((i * 37) % 116)}" r="${12 + ((i * 7) % 16)}" fill="#eef0f9"/>`)}`,
  ),
  ...DRAWN_ICONS,
  ...DRAWN_SCREENS,
}
