import { defineConfig } from '@rsbuild/core'
import { pluginReact } from '@rsbuild/plugin-react'
import pixpress from 'unplugin-pixpress/rsbuild'

export default defineConfig({ plugins: [pluginReact(), pixpress()] })
