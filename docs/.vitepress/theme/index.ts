import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import '../../../packages/face/style/tokens.css'
import '../../../packages/face/style/components.css'
import '../../../packages/face/style/compare.css'
import './site.css'
import { CompareView } from './compare-view.ts'
import { FilterField } from './filter-field.ts'
import { PlaygroundView } from './playground-view.ts'

/** VitePress's own theme in the look of pixpress, with what pages may use as elements. */
const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('CompareView', CompareView)
    app.component('FilterField', FilterField)
    app.component('PlaygroundView', PlaygroundView)
  },
}

export default theme
