import { PEER } from '../first-build/builds.mjs'

/** The build that the others are compared with. */
export const OURS = { bundler: 'vite', title: 'pixpress', tool: 'pixpress' }

/** One build each, of the same sources. */
export const PEER_BUILDS = [
  { bundler: 'vite', title: 'vite-plugin-image-optimizer, quality 80', ...PEER },
  { bundler: 'vite', title: 'vite-plugin-image-optimizer', tool: 'vite-plugin-image-optimizer' },
  { bundler: 'vite', title: 'vite-imagetools', tool: 'vite-imagetools' },
  { bundler: 'webpack', title: 'image-minimizer-webpack-plugin', tool: 'image-minimizer-webpack-plugin' },
]
