// The space in which colours are compared. A colour is put on mid-grey and its alpha kept beside it: m = αc + (1 − α)·127.5
// and α, so that |Δm|² + (127.5 Δα)² is the mean of the squared errors on white and on black. Of m, luma counts most.

/** Weights of red less green and of blue less yellow beside luma: measured by the score of palettes. */
const RED_GREEN: f32 = 0.35
const BLUE_YELLOW: f32 = 0.375
const ALPHA: f32 = 0.5
const GREY: f32 = 127.5

/** Luma of a colour on mid-grey, the feature along which entries are sorted. */
@inline
export function luma(red: f32, green: f32, blue: f32): f32 {
  return <f32>0.299 * red + <f32>0.587 * green + <f32>0.114 * blue
}

/** The four features of a colour on mid-grey and its alpha, 0…255, as four floats. */
@inline
export function putFeatures(to: usize, red: f32, green: f32, blue: f32, alpha: f32): void {
  store<f32>(to, luma(red, green, blue))
  store<f32>(to, RED_GREEN * (red - green), 4)
  store<f32>(to, BLUE_YELLOW * (blue - <f32>0.5 * (red + green)), 8)
  store<f32>(to, ALPHA * alpha, 12)
}

/** A channel on mid-grey. */
@inline
export function onGrey(value: f32, alpha: f32): f32 {
  return alpha == 255 ? value : (value * alpha + GREY * (<f32>255 - alpha)) / <f32>255
}

@inline
function byte(value: f32): u32 {
  return value <= 0 ? 0 : value >= 254.5 ? 255 : <u32>(value + <f32>0.5)
}

/** The RGBA colour, red lowest, that features belong to. */
export function colourOf(from: usize, isOpaque: bool): u32 {
  const alpha: u32 = isOpaque ? 255 : max<u32>(1, min<u32>(254, byte(load<f32>(from, 12) / ALPHA)))
  const light = load<f32>(from)
  const redLess = load<f32>(from, 4) / RED_GREEN
  const blueMore = load<f32>(from, 8) / BLUE_YELLOW
  const green = light - <f32>0.356 * redLess - <f32>0.114 * blueMore
  const red = green + redLess
  const blue = green + <f32>0.5 * redLess + blueMore
  return ungreyed(red, alpha) | (ungreyed(green, alpha) << 8) | (ungreyed(blue, alpha) << 16) | (alpha << 24)
}

@inline
function ungreyed(value: f32, alpha: u32): u32 {
  if (alpha == 255) return byte(value)
  const opacity = <f32>alpha
  return byte((value * <f32>255 - GREY * (<f32>255 - opacity)) / opacity)
}

/** The squared distance of two colours by their features. */
@inline
export function distance(one: usize, other: usize): f32 {
  const a = load<f32>(one) - load<f32>(other)
  const b = load<f32>(one, 4) - load<f32>(other, 4)
  const c = load<f32>(one, 8) - load<f32>(other, 8)
  const d = load<f32>(one, 12) - load<f32>(other, 12)
  return a * a + b * b + c * c + d * d
}
