/**
 * Written by scripts/browser-data.mjs: change that, and run it.
 * From caniuse-lite 1.0.30001826, which knows browsers released up to 2026-11-10.
 */

/** The formats that were Baseline widely available on that day, best first. */
export const BASELINE_FORMATS: readonly string[] = ['image/avif', 'image/webp']

/**
 * The version of each browser from which on a format has full support; 0: every version. A browser that is not listed
 * does not support the format.
 */
export const FIRST_VERSIONS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'image/avif': {
    and_chr: 0,
    and_ff: 0,
    and_uc: 0,
    android: 85,
    baidu: 0,
    chrome: 85,
    edge: 121,
    firefox: 93,
    ios_saf: 16,
    op_mob: 80,
    opera: 71,
    safari: 16.4,
    samsung: 14,
  },
  'image/webp': {
    and_chr: 0,
    and_ff: 0,
    and_qq: 0,
    and_uc: 0,
    android: 32,
    baidu: 0,
    chrome: 32,
    edge: 18,
    firefox: 65,
    ios_saf: 14,
    kaios: 3,
    op_mini: 0,
    op_mob: 11.1,
    opera: 19,
    safari: 16,
    samsung: 0,
  },
}

/** Percent of tracked use of the versions that lack one of the formats. Versions that are not listed have none. */
export const USE: Readonly<Record<string, number>> = {
  'and_qq 14.9': 0.092,
  'chrome 48': 0.008,
  'chrome 49': 0.004,
  'chrome 70': 0.008,
  'chrome 74': 0.008,
  'chrome 79': 0.004,
  'edge 18': 0.004,
  'edge 92': 0.008,
  'edge 109': 0.031,
  'edge 114': 0.004,
  'edge 119': 0.065,
  'edge 120': 0.069,
  'firefox 11': 0.004,
  'firefox 52': 0.008,
  'firefox 78': 0.004,
  'ie 11': 0.165,
  'ios_saf 4.2-4.3': 0.001,
  'ios_saf 5.0-5.1': 0.001,
  'ios_saf 7.0-7.1': 0.003,
  'ios_saf 10.3': 0.012,
  'ios_saf 11.0-11.2': 0.001,
  'ios_saf 11.3-11.4': 0.003,
  'ios_saf 12.2-12.5': 0.032,
  'ios_saf 13.2': 0.003,
  'ios_saf 13.4-13.7': 0.001,
  'ios_saf 14.0-14.4': 0.004,
  'ios_saf 14.5-14.8': 0.008,
  'ios_saf 15.0-15.1': 0.009,
  'ios_saf 15.2-15.3': 0.005,
  'ios_saf 15.4': 0.007,
  'ios_saf 15.5': 0.008,
  'ios_saf 15.6-15.8': 0.173,
  'opera 46': 0.004,
  'safari 13.1': 0.012,
  'safari 14': 0.004,
  'safari 14.1': 0.015,
  'safari 15.5': 0.004,
  'safari 15.6': 0.061,
  'safari 16.1': 0.008,
  'safari 16.2': 0.004,
  'safari 16.3': 0.008,
  'samsung 7.2-7.4': 0.01,
}
