import { digestOf } from '../base/digest.ts'
import { PixpressError, firstLine } from '../base/errors.ts'
import type { ErrorCode } from '../base/errors.ts'
import { factsOf } from '../base/formats.ts'
import type { InputType } from '../base/types.ts'
import type { Plan } from '../plan/plan.ts'

/** Different images of a format that have to fail alike: two damaged ones may come from one bad disk. */
const LEAST = 3

/** Failures that a decoder or encoder gives a reason for. */
const REASONED: ReadonlySet<ErrorCode> = new Set(['DECODE_FAILED', 'ENCODE_FAILED'])

/**
 * Notes what became of the images of a build. Where every image of a format fails for one reason, the images are not
 * the reason.
 */
export class AlikeFailures {
  readonly #sound = new Set<InputType>()
  /** Reasons of failures by the digests of images. */
  readonly #failed = new Map<InputType, Map<string, string>>()

  sound({ type }: Pick<Plan, 'type'>): void {
    this.#sound.add(type)
  }

  failed({ type, source }: Pick<Plan, 'type' | 'source'>, { code, cause }: PixpressError): void {
    if (!REASONED.has(code) || cause === undefined) return
    const own = this.#failed.get(type) ?? new Map<string, string>()
    this.#failed.set(type, own.set(digestOf(source), `${code}: ${firstLine(cause)}`))
  }

  /**
   * Forgets what was noted.
   * @throws PixpressError `MACHINE_UNFIT` naming the first format whose images all failed alike
   */
  refuse(): void {
    const found = [...this.#failed].find(
      ([type, own]) => own.size >= LEAST && !this.#sound.has(type) && new Set(own.values()).size === 1,
    )
    this.#sound.clear()
    this.#failed.clear()
    if (found === undefined) return
    const [type, own] = found
    const [reason = ''] = own.values()
    throw new PixpressError(
      'MACHINE_UNFIT',
      `All ${own.size} images of the format ${factsOf(type).label} fail alike (${reason}), so the installation may be ` +
        'the reason. Run: npx pixpress doctor. If the images are damaged, exclude them',
    )
  }
}
