import { sveltekit } from '@sveltejs/kit/vite'
import pixpress from 'unplugin-pixpress/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [sveltekit(), pixpress()] })
