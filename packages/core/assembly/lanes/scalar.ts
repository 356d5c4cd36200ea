// One 32-bit float: the arithmetic of the plain build, for engines without SIMD. Same names as simd.ts.

export type Lanes = f32

/** Floats in one `Lanes`. */
export const LANES: i32 = 1
/** Bytes of one `Lanes`. */
export const LANE_BYTES: usize = 4

@inline
export function get(address: usize): Lanes {
  return load<f32>(address)
}

@inline
export function put(address: usize, value: Lanes): void {
  store<f32>(address, value)
}

@inline
export function splat(value: f32): Lanes {
  return value
}

@inline
export function add(a: Lanes, b: Lanes): Lanes {
  return a + b
}

@inline
export function sub(a: Lanes, b: Lanes): Lanes {
  return a - b
}

@inline
export function mul(a: Lanes, b: Lanes): Lanes {
  return a * b
}

@inline
export function div(a: Lanes, b: Lanes): Lanes {
  return a / b
}

@inline
export function magnitude(a: Lanes): Lanes {
  return abs<f32>(a)
}

/** `a` where it is above zero, else zero. */
@inline
export function aboveZero(a: Lanes): Lanes {
  return a > 0 ? a : <f32>0
}

/** The larger of two numbers. */
@inline
export function larger(a: Lanes, b: Lanes): Lanes {
  return a > b ? a : b
}

/** The smaller of two numbers. */
@inline
export function smaller(a: Lanes, b: Lanes): Lanes {
  return a < b ? a : b
}

/** For each lane whether something is so. */
export type Mask = bool

@inline
export function exceeds(a: Lanes, b: Lanes): Mask {
  return a > b
}

@inline
export function both(a: Mask, b: Mask): Mask {
  return a && b
}

/** Whether it is so for any lane. */
@inline
export function some(mask: Mask): bool {
  return mask
}

/** `a` where it is so, else `b`. */
@inline
export function choose(mask: Mask, a: Lanes, b: Lanes): Lanes {
  return mask ? a : b
}

@inline
export function root(a: Lanes): Lanes {
  return sqrt<f32>(a)
}

/** The sum of two neighbours. */
@inline
export function pairSums(a: Lanes, b: Lanes): Lanes {
  return a + b
}

/** The sum of all lanes. */
@inline
export function total(a: Lanes): f64 {
  return <f64>a
}

/** A first guess (within 4 %) of the cube root of a positive float: a third of its bit pattern plus a constant. */
@inline
export function cubeRootGuess(x: Lanes): Lanes {
  return reinterpret<f32>(reinterpret<i32>(x) / 3 + 709921077)
}

/** One 32-bit integer. */
export type Integers = i32

@inline
export function getIntegers(address: usize): Integers {
  return load<i32>(address)
}

@inline
export function splatInteger(value: i32): Integers {
  return value
}

@inline
export function laneNumbers(): Integers {
  return 0
}

@inline
export function addIntegers(a: Integers, b: Integers): Integers {
  return a + b
}

/** Whether the first is below the second. */
@inline
export function areBelow(a: Integers, b: Integers): Mask {
  return a < b
}

@inline
export function areEqual(a: Integers, b: Integers): Mask {
  return a == b
}

/** `a` where it is so, else `b`. */
@inline
export function chooseIntegers(mask: Mask, a: Integers, b: Integers): Integers {
  return mask ? a : b
}

@inline
export function lowest(a: Integers): i32 {
  return a
}
