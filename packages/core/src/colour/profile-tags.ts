/** The tags of an ICC profile. Source: ICC.1:2022 section 7.3. */
import { asciiAt, uint32 } from '../metadata/bytes.ts'

/** Where a tag's content stands in its profile. */
export interface Tag {
  readonly start: number
  readonly size: number
}

/** Tags of one profile that are looked at; real ones have at most a few dozen. */
const MOST_TAGS = 256

/** Reads the tags by name; those that reach beyond the profile are left out. */
export function readTags(profile: Uint8Array): Map<string, Tag> {
  const tags = new Map<string, Tag>()
  const count = Math.min(uint32(profile, 128), MOST_TAGS)
  for (let at = 132; at < 132 + count * 12; at += 12) {
    const tag = { start: uint32(profile, at + 4), size: uint32(profile, at + 8) }
    if (tag.start + tag.size <= profile.length) tags.set(asciiAt(profile, at, 4), tag)
  }
  return tags
}
