import { readMetadata, selectMetadata, stripMetadata, writeMetadata } from '../metadata/index.ts'
import type { ImageInfo, ImageType, InputType, ProbeResult } from '../types.ts'
import { IMAGE_TYPES } from '../values.ts'
import type { Job, JobResult } from './job.ts'

/** The image with the metadata of the source that is to be kept. */
export function preserved({ source, type, operations }: Job, data: Uint8Array, outputType: InputType): Uint8Array {
  if (operations.preserve.length === 0 || !isImageType(outputType)) return data
  return writeMetadata(data, outputType, selectMetadata(readMetadata(source, type), operations.preserve))
}

/** The input as the result, without the metadata that is not to be kept. */
export function keptInput(job: Job, probe: ProbeResult, notes: readonly string[]): JobResult {
  const stripped = preserved(job, stripMetadata(job.source, job.type), job.type)
  // Metadata that was asked for is not worth a file larger than the input, which has it already.
  const data = stripped.length <= job.source.length ? stripped : job.source
  const input = infoOf(probe)
  return { data, info: { ...input, size: data.length }, input, kept: 'input', notes }
}

export function infoOf({ type, width, height, size, frames, hasAlpha }: ProbeResult): ImageInfo {
  return { type, width, height, size, frames, hasAlpha }
}

const isImageType = (type: InputType): type is ImageType => (IMAGE_TYPES as readonly InputType[]).includes(type)
