/**
 * Shows a difference as heat: the mean of its channels, sixteen times as bright, as a change that nobody sees in the
 * picture shall be seen here; from black over violet and orange to white. A filter needs no pixels in the script's
 * hands, which browsers refuse to pages of the disk.
 */
export const HEAT_FILTER = `<svg width="0" height="0" aria-hidden="true"><filter id="heat" x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB">
<feColorMatrix values="5.33 5.33 5.33 0 0 5.33 5.33 5.33 0 0 5.33 5.33 5.33 0 0 0 0 0 0 1"/>
<feComponentTransfer><feFuncR type="table" tableValues="0 .35 .8 1 1"/><feFuncG type="table" tableValues="0 .05 .25 .7 1"/>
<feFuncB type="table" tableValues="0 .45 .3 .15 .9"/></feComponentTransfer></filter></svg>`
