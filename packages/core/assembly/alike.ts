// Whether pixels are to be seen alike, in cells of four along a row.

/** Pixels of a cell. */
export const CELL: i32 = 4
/** Taps of the blur on either side of the centre: exactly a cell, the unit in which it is known where images differ. */
export const RADIUS: i32 = 4

/** Pixels of four bytes: those of alpha 0 on both sides look alike on a background, whatever their colours. */
function rgbaDiffers(a: usize, b: usize, pixels: i32, isBlended: bool): bool {
  for (let i = 0; i < pixels; i++, a += 4, b += 4) {
    const before = load<u32>(a)
    const after = load<u32>(b)
    if (before != after && !(isBlended && (before | after) >>> 24 == 0)) return true
  }
  return false
}

/** Whether the pixels of a cell, `step` (3 or 4) bytes each, differ. */
@inline
export function cellDiffers(a: usize, b: usize, step: i32, isBlended: bool): bool {
  if (step == 3) {
    return ((load<u64>(a) ^ load<u64>(b)) | <u64>(load<u32>(a, 8) ^ load<u32>(b, 8))) != 0
  }
  if (((load<u64>(a) ^ load<u64>(b)) | (load<u64>(a, 8) ^ load<u64>(b, 8))) == 0) return false
  return !isBlended || rgbaDiffers(a, b, CELL, true)
}

/** The same of the fewer pixels of a last cell. */
export function restDiffers(a: usize, b: usize, pixels: i32, step: i32, isBlended: bool): bool {
  if (step == 4) return rgbaDiffers(a, b, pixels, isBlended)
  for (let i: usize = 0; i < <usize>(pixels * step); i++) if (load<u8>(a + i) != load<u8>(b + i)) return true
  return false
}
