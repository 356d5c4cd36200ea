// One 128-bit vector of four 32-bit floats: the arithmetic of the SIMD build.

export type Lanes = v128

/** Floats in one `Lanes`. */
export const LANES: i32 = 4
/** Bytes of one `Lanes`. */
export const LANE_BYTES: usize = 16

@inline
export function get(address: usize): Lanes {
  return v128.load(address)
}

@inline
export function put(address: usize, value: Lanes): void {
  v128.store(address, value)
}

@inline
export function splat(value: f32): Lanes {
  return f32x4.splat(value)
}

@inline
export function add(a: Lanes, b: Lanes): Lanes {
  return f32x4.add(a, b)
}

@inline
export function sub(a: Lanes, b: Lanes): Lanes {
  return f32x4.sub(a, b)
}

@inline
export function mul(a: Lanes, b: Lanes): Lanes {
  return f32x4.mul(a, b)
}

@inline
export function div(a: Lanes, b: Lanes): Lanes {
  return f32x4.div(a, b)
}

@inline
export function magnitude(a: Lanes): Lanes {
  return f32x4.abs(a)
}

/** `a` where it is above zero, else zero. `pmax` is one machine instruction where `max` (with its NaN rules) is several. */
@inline
export function aboveZero(a: Lanes): Lanes {
  return f32x4.pmax(f32x4.splat(0), a)
}

/** The larger of two numbers. */
@inline
export function larger(a: Lanes, b: Lanes): Lanes {
  return f32x4.pmax(b, a)
}

/** The smaller of two numbers. */
@inline
export function smaller(a: Lanes, b: Lanes): Lanes {
  return f32x4.pmin(b, a)
}

/** For each lane whether something is so: all bits of it, or none. */
export type Mask = v128

@inline
export function exceeds(a: Lanes, b: Lanes): Mask {
  return f32x4.gt(a, b)
}

@inline
export function both(a: Mask, b: Mask): Mask {
  return v128.and(a, b)
}

/** Whether it is so for any lane. */
@inline
export function some(mask: Mask): bool {
  return v128.any_true(mask)
}

/** `a` where it is so, else `b`. */
@inline
export function choose(mask: Mask, a: Lanes, b: Lanes): Lanes {
  return v128.bitselect(a, b, mask)
}

@inline
export function root(a: Lanes): Lanes {
  return f32x4.sqrt(a)
}

/** The sums of neighbours: (a0+a1, a2+a3, b0+b1, b2+b3). */
@inline
export function pairSums(a: Lanes, b: Lanes): Lanes {
  return f32x4.add(v128.shuffle<f32>(a, b, 0, 2, 4, 6), v128.shuffle<f32>(a, b, 1, 3, 5, 7))
}

/** The sum of all lanes. */
@inline
export function total(a: Lanes): f64 {
  return (
    <f64>f32x4.extract_lane(a, 0) +
    <f64>f32x4.extract_lane(a, 1) +
    <f64>f32x4.extract_lane(a, 2) +
    <f64>f32x4.extract_lane(a, 3)
  )
}

/**
 * A first guess (within 4 %) of the cube root of a positive float: a third of its bit pattern, as the exponent is a
 * logarithm, plus a constant. Vectors have no integer division, so the pattern is divided as a float by 3·2^8, brought
 * into the low mantissa bits by adding 1.5·2^23, and shifted back by 8; the shift leaves 0x40000000 of that addend.
 */
@inline
export function cubeRootGuess(x: Lanes): Lanes {
  const third = f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(x), f32x4.splat(1.0 / 768.0)), f32x4.splat(12582912.0))
  return i32x4.add(i32x4.shl(third, 8), i32x4.splat(709921077 - 0x40000000))
}

/** Four 32-bit integers. */
export type Integers = v128

@inline
export function getIntegers(address: usize): Integers {
  return v128.load(address)
}

@inline
export function splatInteger(value: i32): Integers {
  return i32x4.splat(value)
}

/** 0, 1, 2, 3. */
@inline
export function laneNumbers(): Integers {
  return i32x4(0, 1, 2, 3)
}

@inline
export function addIntegers(a: Integers, b: Integers): Integers {
  return i32x4.add(a, b)
}

/** For each lane whether the first is below the second. */
@inline
export function areBelow(a: Integers, b: Integers): Mask {
  return i32x4.lt_s(a, b)
}

@inline
export function areEqual(a: Integers, b: Integers): Mask {
  return i32x4.eq(a, b)
}

/** `a` where it is so, else `b`. */
@inline
export function chooseIntegers(mask: Mask, a: Integers, b: Integers): Integers {
  return v128.bitselect(a, b, mask)
}

/** The lowest of all lanes. */
@inline
export function lowest(a: Integers): i32 {
  const pairs = i32x4.min_s(a, v128.shuffle<i32>(a, a, 2, 3, 0, 1))
  return i32x4.extract_lane(i32x4.min_s(pairs, v128.shuffle<i32>(pairs, pairs, 1, 0, 3, 2)), 0)
}
