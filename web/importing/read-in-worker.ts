import { trustedAddress } from '../ui/trusted-types.ts'
import type { ReadAnswer, ReadRequest, ShownImport } from './import-worker.ts'
import workerAddress from './import-worker.ts?worker&url'

const address = trustedAddress('import-worker', workerAddress)

/** Why files cannot be read, as a sentence. */
export class Refusal extends Error {}

/** Reads files beside the page. Rejects with a `Refusal`, or when it is aborted. */
export function readInWorker(request: ReadRequest, signal: AbortSignal): Promise<ShownImport> {
  const worker = new Worker(address, { type: 'module' })
  const { promise, resolve, reject } = Promise.withResolvers<ShownImport>()
  worker.addEventListener('message', ({ data }: MessageEvent<ReadAnswer>) => {
    if ('imported' in data) resolve(data.imported)
    else if ('refusal' in data) reject(new Refusal(data.refusal))
    else reject(new Error(data.error))
  })
  worker.addEventListener('error', ({ message }) => reject(new Error(message)))
  signal.addEventListener('abort', () => reject(signal.reason))
  worker.postMessage(request)
  return promise.finally(() => worker.terminate())
}
