import { describe, expect, it } from 'vitest'
import { takeNamesEarly, takeNamesLate } from '../../scripts/late-names.mjs'

describe('takeNamesLate', () => {
  it('takes the names of our other packages from the whole module', () => {
    expect(takeNamesLate("import { a, b as c } from '@pixpress/core/internal';\nimport fs from 'node:fs';\n")).toBe(
      "import * as $_pixpress_core_internal_0 from '@pixpress/core/internal';\n" +
        'const { a, b: c } = $_pixpress_core_internal_0;\n' +
        "import fs from 'node:fs';\n",
    )
  })

  it('gives names on to others', () => {
    expect(takeNamesLate('export { a as b } from "@pixpress/core";')).toBe(
      'import * as $_pixpress_core_0 from "@pixpress/core";\nexport const { a: b } = $_pixpress_core_0;',
    )
  })

  it('gives each statement a binding of its own', () => {
    const code = takeNamesLate("import { a } from '@pixpress/core';\nimport { b } from '@pixpress/core';\n")
    expect([...new Set(code.match(/\$_pixpress_core_\d/g))]).toEqual(['$_pixpress_core_0', '$_pixpress_core_1'])
  })

  it('leaves what was changed already, other packages and texts of programs as they are', () => {
    const changed = takeNamesLate("import { a } from '@pixpress/core/report';\n")
    expect(takeNamesLate(changed)).toBe(changed)
    for (const code of [
      "import { sharp } from 'sharp';",
      "import { a } from './own.js';",
      "import pixpress from 'unplugin-pixpress/vite';",
      "import * as core from '@pixpress/core';",
      'const example = "  import { a } from \'@pixpress/core\'";',
    ]) {
      expect(takeNamesLate(code)).toBe(code)
    }
  })
})

describe('takeNamesEarly', () => {
  it('is the way back, so that a second build bundles what the first one did', () => {
    const code =
      "import { a, b as c } from '@pixpress/core/internal';\nexport { d as e } from '@pixpress/core';\nimport x from 'y';\n"
    expect(takeNamesEarly(takeNamesLate(code))).toBe(code)
    expect(takeNamesEarly(code)).toBe(code)
  })
})
