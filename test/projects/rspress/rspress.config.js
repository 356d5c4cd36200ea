import path from 'node:path'
import { defineConfig } from '@rspress/core'
import pixpress from 'unplugin-pixpress/rsbuild'

export default defineConfig({
  root: path.join(import.meta.dirname, 'docs'),
  title: 'Starter',
  icon: '/icon.png',
  globalStyles: path.join(import.meta.dirname, 'docs/style.css'),
  builderConfig: { plugins: [pixpress()] },
})
