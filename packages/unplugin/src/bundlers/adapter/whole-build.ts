/**
 * The name of a build that has ended well and has asked for every image that it delivers, for `Session.endBuild`: what
 * it asked for before and no build asks for any more leaves the lock then. Adapters give none for what failed, watches,
 * or has modules from a cache of the bundler's own.
 * @param bundler by its name
 * @param parts what tells it from other builds of the project: what goes in, where it goes, for whom it is
 */
export const wholeBuild = (bundler: string, ...parts: readonly unknown[]): string =>
  JSON.stringify([bundler, process.env['NODE_ENV'], ...parts])
