import type { FastifyRequest } from 'fastify'
import { pageVersion } from '#contract/limits.ts'
import { HttpError } from '../errors.ts'

/** Whether a page of another build makes this call and would misread its answer. Other programs send no version. */
export const isOtherPage = ({ headers }: FastifyRequest) =>
  headers['page-version'] !== undefined && headers['page-version'] !== pageVersion

export function rejectOtherPage(request: FastifyRequest) {
  if (isOtherPage(request)) throw new HttpError('page-outdated')
}
