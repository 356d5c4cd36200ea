/** An image that a component shows, as the build has decided on it. */
export interface ShownImage {
  /** The URL for browsers that read no other type, or the only one. */
  readonly src: string
  /** Types that are offered before it, the preferred first. Absent: the image stands alone */
  readonly sources?: readonly { readonly type: string; readonly srcset: string }[]
}
