import { requireSameRelease } from '@pixpress/core/internal'
import type { Release } from '@pixpress/core/internal'

/** This package and its version, which `npm run release:version` keeps equal to the manifest's. */
export const UNPLUGIN: Release = { name: 'unplugin-pixpress', version: '0.1.0' }

// Every entry imports this module first, before anything of the core is used.
requireSameRelease(UNPLUGIN)
