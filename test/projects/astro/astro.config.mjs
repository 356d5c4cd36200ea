import pixpress from '@pixpress/astro'
import { defineConfig } from 'astro/config'

export default defineConfig({ integrations: [pixpress()] })
