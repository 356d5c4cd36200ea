/**
 * Pixels that the codec can hold: it addresses 2 GiB, of which encoding noise with transparency takes 135 bytes
 * per pixel and decoding up to 84.
 */
export const MOST_ENCODED_PIXELS = 15_000_000
export const MOST_DECODED_PIXELS = 24_000_000
