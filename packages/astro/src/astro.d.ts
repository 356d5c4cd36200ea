/** What is used of the modules of the project's own Astro, which is no dependency of this workspace. */
declare module 'astro/assets' {
  export const baseService: import('./astro-types.ts').BaseService
}
