import type { TurbopackConfig } from './turbopack/rules.ts'

/** Describes what is used of Next.js's configuration. */
export interface NextConfig {
  output?: string
  distDir?: string
  images?: { loader?: string; loaderFile?: string; unoptimized?: boolean; [key: string]: unknown }
  turbopack?: TurbopackConfig
  compiler?: { runAfterProductionCompile?: (build: never) => unknown; [key: string]: unknown }
  webpack?: ((config: never, context: never) => unknown) | null
}
