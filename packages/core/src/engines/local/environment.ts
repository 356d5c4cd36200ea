/**
 * Variables of the environment that the process of the decoders gets: what Node, libvips, its fonts, the C library and
 * Windows need to run. Every other one stays behind, so that a decoder that a hostile file takes over finds no
 * credential. Code is not loaded by variables either: `LD_PRELOAD` and `NODE_PATH` are not among them.
 */
const NAMES: ReadonlySet<string> = new Set([
  // Where programs, shared libraries and temporary files are.
  'PATH',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'DYLD_FALLBACK_LIBRARY_PATH',
  'TMPDIR',
  'TMP',
  'TEMP',
  // Language and time.
  'LANG',
  'LANGUAGE',
  'TZ',
  // Fonts of texts in SVGs, which fontconfig looks for in the home folder too.
  'HOME',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_DATA_DIRS',
  'FONTCONFIG_FILE',
  'FONTCONFIG_PATH',
  'FONTCONFIG_SYSROOT',
  'PANGOCAIRO_BACKEND',
  // Memory and threads.
  'GLIBC_TUNABLES',
  'MALLOC_ARENA_MAX',
  'MALLOC_CONF',
  'MALLOC_MMAP_THRESHOLD_',
  'MALLOC_TOP_PAD_',
  'MALLOC_TRIM_THRESHOLD_',
  'UV_THREADPOOL_SIZE',
  'VIPS_BLOCK_UNTRUSTED',
  'VIPS_CONCURRENCY',
  'VIPS_DISC_THRESHOLD',
  'VIPS_INFO',
  'VIPS_NOVECTOR',
  'VIPS_WARNING',
  // Node.
  'NODE_COMPILE_CACHE',
  'NODE_DISABLE_COMPILE_CACHE',
  'NODE_ICU_DATA',
  'NODE_NO_WARNINGS',
  // Messages name the command of the package manager in use.
  'npm_config_user_agent',
  // Windows starts no program without some of these.
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_ARCHITECTURE',
])

/** Settings of single parts of a language: `LC_ALL`, `LC_COLLATE`, … */
const LOCALE = /^LC_[A-Z]+$/

/**
 * Options of `NODE_OPTIONS` that are passed on: bounds of memory, how links are followed, and the loaders by which
 * packages are found in a project of Yarn's Plug'n'Play. Others would run code, open a debugger where this process has
 * its own, or change what the engine's code does.
 */
const NODE_OPTIONS: readonly RegExp[] = [
  /^--max-(?:old-space|semi-space|heap)-size=\d+$/,
  /^--max-old-space-size-percentage=\d+$/,
  /^--preserve-symlinks(?:-main)?$/,
  /^--(?:require|import|loader|experimental-loader)=.*[/\\]\.pnp\.(?:loader\.m|c)js$/,
]

/** Options that take their value as a word of its own. */
const TAKES_VALUE = new Set(['-r', '--require', '--import', '--loader', '--experimental-loader'])

/** Takes those variables of an environment that the process of the decoders may have. */
export function decoderEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    // Windows does not tell capitals from small letters, and writes `SystemRoot` and `Path`.
    const known = process.platform === 'win32' ? name.toUpperCase() : name
    if (value !== undefined && (NAMES.has(known) || LOCALE.test(known))) kept[name] = value
  }
  const options = nodeOptions(env.NODE_OPTIONS ?? '')
  return options === '' ? kept : { ...kept, NODE_OPTIONS: options }
}

function nodeOptions(text: string): string {
  const words = text.match(/(?:[^\s"]|"(?:[^"\\]|\\.)*")+/g) ?? []
  const options = words.flatMap((word, at) => {
    const before = words[at - 1]
    if (before !== undefined && TAKES_VALUE.has(before)) return []
    const next = words[at + 1]
    return [TAKES_VALUE.has(word) && next !== undefined ? `${word === '-r' ? '--require' : word}=${next}` : word]
  })
  return options.filter((option) => NODE_OPTIONS.some((known) => known.test(option.replaceAll('"', '')))).join(' ')
}
