import { requireSameRelease } from '@pixpress/core/internal'
import type { Release } from '@pixpress/core/internal'
import { UNPLUGIN } from 'unplugin-pixpress/internal'

/** This package and its version, which `npm run release:version` keeps equal to the manifest's. */
const ASTRO: Release = { name: '@pixpress/astro', version: '0.1.0' }

// Every entry imports this module first, before anything of the core or the plugin is used.
requireSameRelease(ASTRO)
requireSameRelease(ASTRO, UNPLUGIN)
