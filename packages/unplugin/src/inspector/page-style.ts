/** Of the inspector's page. System colours follow the browser's light or dark mode. */
export const PAGE_STYLE: string = `
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; --line: color-mix(in srgb, CanvasText 18%, Canvas); }
body { margin: 0; height: 100vh; display: grid; grid-template-rows: auto 1fr; background: Canvas; color: CanvasText; }
header { display: flex; gap: 1.5rem; align-items: center; padding: .5rem 1rem; border-bottom: 1px solid var(--line); }
h1 { font-size: 1rem; margin: 0; }
header p { margin: 0; flex: 1; }
main { display: grid; grid-template-columns: minmax(16rem, 26rem) 1fr; min-height: 0; }
nav { overflow: auto; border-right: 1px solid var(--line); }
ul { list-style: none; margin: 0; padding: 0; }
nav button { display: grid; grid-template-columns: 3rem 1fr auto; gap: 0 .75rem; width: 100%; padding: .5rem 1rem; text-align: left; font: inherit; color: inherit;
  background: none; border: 0; border-bottom: 1px solid var(--line); cursor: pointer; }
nav button[aria-current=true] { background: color-mix(in srgb, Highlight 25%, Canvas); }
nav button:hover { background: color-mix(in srgb, Highlight 12%, Canvas); }
nav img { width: 3rem; height: 3rem; object-fit: contain; grid-row: span 2; }
.name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.small { font-size: .85em; opacity: .75; }
.saved { font-variant-numeric: tabular-nums; text-align: right; }
#detail { overflow: auto; padding: 1rem; }
#detail h2 { margin: 0 0 .5rem; font-size: 1.1rem; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0 0 1rem; }
dt { opacity: .75; }
dd { margin: 0; overflow-wrap: anywhere; }
.controls { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; margin-bottom: .5rem; }
.controls label { display: flex; gap: .5rem; align-items: center; }
.compare { position: relative; overflow: auto; max-height: 60vh; border: 1px solid var(--line); background: repeating-conic-gradient(#8883 0 25%, #0000 0 50%) 0 0 / 20px 20px; }
.compare img { display: block; max-width: none; }
.compare .after { position: absolute; inset: 0 auto auto 0; }
.pixels img { image-rendering: pixelated; }
code { font: .9em ui-monospace, monospace; }
.problem { color: light-dark(#b00020, #ff8a80); }
:focus-visible { outline: 2px solid Highlight; outline-offset: -2px; }
@media (max-width: 45rem) { main { grid-template-columns: 1fr; grid-template-rows: 40vh 1fr; } nav { border-right: 0; } }
`
