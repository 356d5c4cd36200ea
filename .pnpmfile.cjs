module.exports = {
  hooks: {
    // Every bundler is an optional peer of unplugin. pnpm would install all of them wherever unplugin-pixpress is.
    readPackage(manifest) {
      return manifest.name === 'unplugin' ? { ...manifest, peerDependencies: {}, peerDependenciesMeta: {} } : manifest
    },
  },
}
