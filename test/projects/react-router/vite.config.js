import { reactRouter } from '@react-router/dev/vite'
import pixpress from 'unplugin-pixpress/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [reactRouter(), pixpress()] })
