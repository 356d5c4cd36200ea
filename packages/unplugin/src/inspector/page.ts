import { PAGE_SCRIPT } from './page-script.ts'
import { PAGE_STYLE } from './page-style.ts'

/** The inspector's page: one document, which asks for nothing but the project's images. */
export const inspectorPage = (): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <link rel="icon" href="data:,">
    <title>pixpress</title>
    <style>${PAGE_STYLE}</style>
  </head>
  <body>
    <header>
      <h1>pixpress</h1>
      <p id="total" role="status"></p>
      <label>Find <input id="find" type="search" autocomplete="off"></label>
      <button id="reload" type="button">Reload</button>
    </header>
    <main>
      <nav aria-label="Images"><ul id="list"></ul></nav>
      <section id="detail" aria-live="polite" tabindex="-1"><p>Choose an image.</p></section>
    </main>
    <script type="module">${PAGE_SCRIPT}</script>
  </body>
</html>
`
