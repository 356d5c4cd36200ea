import { PEER } from '../first-build/builds.mjs'

/** One build each, of the same sources. */
export const CONVERT_BUILDS = [
  { bundler: 'vite', title: 'no plugin', tool: 'none' },
  { bundler: 'vite', title: "pixpress, `convert: 'auto'`", tool: 'pixpress', settings: { convert: 'auto' } },
  { bundler: 'vite', title: 'pixpress', tool: 'pixpress' },
  { bundler: 'vite', title: 'vite-plugin-image-optimizer, quality 80', ...PEER },
  { bundler: 'vite', title: 'vite-imagetools', tool: 'vite-imagetools' },
  { bundler: 'webpack', title: 'no plugin', tool: 'none' },
  { bundler: 'webpack', title: "pixpress, `convert: 'auto'`", tool: 'pixpress', settings: { convert: 'auto' } },
  { bundler: 'webpack', title: 'pixpress', tool: 'pixpress' },
  { bundler: 'webpack', title: 'image-minimizer-webpack-plugin', tool: 'image-minimizer-webpack-plugin' },
]
