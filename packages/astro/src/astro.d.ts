/** The modules of the project's own Astro that this package imports. Astro is no dependency of this workspace. */
declare module 'astro/assets' {
  export const baseService: import('./astro-types.ts').BaseService
}
declare module 'astro/assets/services/sharp' {
  const service: import('./astro-types.ts').AstroService
  export default service
}
