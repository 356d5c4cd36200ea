import { blur, linear, radial, range, svg } from './shapes.mjs'

/** Icons and logos: saturated gradients, round edges of few colours, small spots of a hue. */
export const DRAWN_ICONS = {
  ribbons: svg(
    160,
    160,
    `<defs>${linear('a', ['#1ee0c8', '#0aa3b5'], 'x2="1" y2="-1"')}${linear('b', ['#ff5580', '#ff8078'], 'x2="1" y2="0"')}</defs><rect width="160" height="160" fill="#451a6e"/>
     <path d="M24 92 L96 20 H136 L44 112 Z" fill="url(#a)"/><path d="M72 112 L96 88 H136 L92 132 Z" fill="#fff"/><path d="M92 92 L112 72 H136 L116 92 Z" fill="#ffaeff"/><path d="M92 132 L112 112 L136 136 H96 Z" fill="url(#b)"/>`,
  ),
  'bare-ribbon': svg(
    160,
    160,
    `<defs>${linear('b', ['#ff5580', '#ff8078'], 'x2="1" y2="0"')}${linear('c', ['#ffaeff', '#f58bf5'])}</defs>
     <path d="M20 60 L60 20 L140 100 H60 Z" fill="url(#b)"/><path d="M20 60 L60 20 L80 40 L40 80 Z" fill="url(#c)"/>`,
  ),
  'blue-dome': svg(
    160,
    160,
    `<defs>${radial('a', ['#1e30d8', '#0f62f0', '#0092ff'], 'cx="0.8" cy="0.2" r="1"')}${linear('b', ['#1518c8', '#1a50ea'])}</defs><circle cx="80" cy="80" r="76" fill="url(#a)"/>
     <path d="M46 140 V76 A30 30 0 0 1 106 76 V140 Z" fill="url(#b)"/><path d="M86 56 L140 84 L86 116 Z" fill="#fff"/>`,
  ),
  'deep-blue': svg(
    160,
    160,
    `<defs>${linear('a', ['#3a44ff', '#1f24f0'], 'x2="0" y2="1"')}</defs><rect width="160" height="160" rx="34" fill="url(#a)"/>
     <path d="M80 30 a46 46 0 1 1 -40 69 l-8 30 l30 -8" fill="none" stroke="#fff" stroke-width="8"/>`,
  ),
  wheel: svg(
    160,
    160,
    `<defs>${linear('a', ['#f5004f', '#ff5a36'])}${linear('b', ['#9b3fe0', '#d62f9a'])}${linear('c', ['#00e5f0', '#00a8ff'])}${linear('d', ['#ffb300', '#ff7a00'])}</defs>
     <path d="M80 80 L80 6 A74 74 0 0 1 154 80 Z" fill="url(#d)"/><path d="M80 80 L6 80 A74 74 0 0 1 80 6 Z" fill="url(#a)"/><path d="M80 80 L80 154 A74 74 0 0 1 6 80 Z" fill="url(#b)"/><path d="M80 80 L154 80 A74 74 0 0 1 80 154 Z" fill="url(#c)"/><circle cx="80" cy="80" r="26" fill="#fff"/>`,
  ),
  'sunset-disc': svg(
    150,
    150,
    `<defs>${linear('a', ['#ffd54f', '#ff7043', '#c2185b'], 'x2="0" y2="1"')}</defs><rect width="150" height="150" fill="#1a1033"/><circle cx="75" cy="75" r="58" fill="url(#a)"/>`,
  ),
  'green-pill': svg(
    160,
    120,
    `<defs>${linear('a', ['#00c853', '#00897b'], 'x2="1" y2="0"')}</defs><rect x="8" y="24" width="144" height="72" rx="36" fill="url(#a)"/><circle cx="116" cy="60" r="28" fill="#fff"/>`,
  ),
  'violet-drop': svg(
    150,
    150,
    `<defs>${radial('a', ['#f0abfc', '#a21caf', '#4a044e'], 'cx="0.35" cy="0.3" r="0.8"')}</defs><rect width="150" height="150" fill="#fff"/><path d="M75 10 C110 60 130 80 130 100 A55 45 0 0 1 20 100 C20 80 40 60 75 10 Z" fill="url(#a)"/>`,
  ),
  'blue-circle': svg(
    140,
    140,
    `<circle cx="70" cy="70" r="68" fill="#0071bc"/><path d="M40 74 L62 96 L102 48" fill="none" stroke="#fff" stroke-width="9"/>`,
  ),
  'white-mark': svg(
    160,
    110,
    `<circle cx="52" cy="55" r="42" fill="#fff"/><path d="M104 14 L120 96 L136 14 Z M144 20 V92" fill="#fff" stroke="#fff" stroke-width="5"/>`,
  ),
  braces: svg(
    160,
    140,
    `<rect width="160" height="140" fill="#fff"/><circle cx="80" cy="70" r="60" fill="#6a9a00" stroke="#527800" stroke-width="3"/><g fill="#fff"><circle cx="58" cy="70" r="6"/><circle cx="80" cy="70" r="6"/><circle cx="102" cy="70" r="6"/></g>
     <path d="M52 36 Q40 36 42 52 T34 70 Q42 72 42 88 T52 104 M108 36 Q120 36 118 52 T126 70 Q118 72 118 88 T108 104" fill="none" stroke="#fff" stroke-width="6"/>`,
  ),
  bell: svg(
    150,
    150,
    `<rect width="150" height="150" fill="#fff"/><path d="M0 20 Q75 50 150 20 V44 Q75 74 0 44 Z" fill="#e31937" stroke="#000" stroke-width="5"/><circle cx="75" cy="94" r="40" fill="#ffe14c" stroke="#000" stroke-width="5"/>
     <path d="M38 84 Q75 72 112 84 M36 92 Q75 80 114 92" fill="none" stroke="#000" stroke-width="4"/><ellipse cx="75" cy="104" rx="9" ry="6.5" fill="#826a5c" stroke="#000" stroke-width="4"/><path d="M75 110 V134" stroke="#000" stroke-width="4"/>`,
  ),
  eyes: svg(
    150,
    150,
    `<rect width="150" height="150" fill="#ffe1d8"/><path d="M30 40 Q45 30 64 38 M88 38 Q105 30 120 40" fill="none" stroke="#a04a48" stroke-width="6"/>
     ${[47, 104].map((x, i) => `<ellipse cx="${x}" cy="58" rx="17" ry="9" fill="#fff" stroke="#c98080" stroke-width="2"/><circle cx="${x}" cy="58" r="7" fill="${['#7a6a4a', '#5c7a5a'][i]}"/><circle cx="${x}" cy="58" r="3.4" fill="#2a1c14"/><circle cx="${x - 2}" cy="56" r="1.4" fill="#fff"/>`).join('')}
     <path d="M76 60 Q84 86 74 92" fill="none" stroke="#e8a898" stroke-width="4"/><path d="M52 116 Q75 104 98 116 Q75 132 52 116 Z" fill="#ff9a94" stroke="#e07070" stroke-width="2"/><circle cx="126" cy="104" r="3" fill="#58a0c8"/><circle cx="22" cy="104" r="3" fill="#7ac06a"/>`,
  ),
  badges: svg(
    160,
    150,
    `<rect width="160" height="150" fill="#f6f7f9"/>${range(20, (i) => `<rect x="${10 + (i % 5) * 30}" y="${10 + Math.floor(i / 5) * 34}" width="24" height="24" rx="6" fill="${['#374151', '#4b5563', '#6b7280', '#9ca3af'][i % 4]}"/><circle cx="${31 + (i % 5) * 30}" cy="${13 + Math.floor(i / 5) * 34}" r="${2.5 + (i % 3)}" fill="${['#8b6f5c', '#5f8a6b', '#6c7fa8', '#a8786f', '#8f8a4f', '#7d6a9a', '#b39b62'][i % 7]}"/>`)}`,
  ),
  'dark-badges': svg(
    160,
    150,
    `<rect width="160" height="150" fill="#12151c"/>${range(20, (i) => `<rect x="${10 + (i % 5) * 30}" y="${10 + Math.floor(i / 5) * 34}" width="24" height="24" rx="6" fill="${['#222733', '#2b3140', '#394150', '#1b1f29'][i % 4]}"/><circle cx="${31 + (i % 5) * 30}" cy="${13 + Math.floor(i / 5) * 34}" r="${2.5 + (i % 3)}" fill="${['#6b4f3c', '#3f6a4b', '#4c5f88', '#88584f', '#6f6a2f', '#5d4a7a', '#937b42'][i % 7]}"/>`)}`,
  ),
  sun: svg(
    160,
    160,
    `<defs>${blur('f', 7)}${radial('a', ['#ffb000', '#ff6a00', '#c22a00'])}</defs><circle cx="80" cy="80" r="52" fill="#c03020" filter="url(#f)"/><circle cx="80" cy="80" r="46" fill="url(#a)"/>${range(60, (i) => `<circle cx="${80 + ((i * 37) % 61) - 30}" cy="${80 + ((i * 53) % 61) - 30}" r="${1 + (i % 3)}" fill="${['#ffd060', '#d84a00', '#ff8c1a'][i % 3]}" opacity="0.7"/>`)}`,
  ),
  'pale-leaf': svg(
    150,
    150,
    `<defs>${linear('a', ['#d9f2d0', '#a8dcb5'])}</defs><rect width="150" height="150" fill="#fbfdf9"/><path d="M20 130 C20 60 60 20 130 20 C130 90 90 130 20 130 Z" fill="url(#a)"/><path d="M24 126 L120 30" stroke="#7fbf95" stroke-width="2"/>`,
  ),
  'lit-glass': svg(
    160,
    120,
    `<defs>${linear('a', ['#fafafa', '#d4d4d4', '#f2f2f2', '#dedede'])}</defs><rect width="160" height="120" fill="url(#a)" opacity="0.9"/><rect x="20" y="20" width="120" height="80" rx="12" fill="#fff" opacity="0.25"/>`,
  ),
}
