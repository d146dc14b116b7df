import { hash, randomBytes } from 'node:crypto'
import { ZipBuffer } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { newId } from '../new-id.ts'
import type { TestUser } from './test-server.ts'
// Consumes the warning of the zip API.
import '../exporting/zip.ts'

type Manifest = {
  cursor: string
  counts: Record<string, number>
  files: { name: string; bytes: number; sha256: string }[]
}

/** Changes that make ten notes, whose long texts no program compresses to less than 670,000 bytes. */
export const longNotes = () =>
  Array.from({ length: 10 }, () => ({
    ...{ kind: 'note', item: newId(), base: 0, set: { text: randomBytes(67_000).toString('base64') } },
  }))

/** Downloads all data of a user, as the page does. */
export async function exportedBy(app: FastifyInstance, user: TestUser) {
  const { key } = (await user.call('POST /export')).json.export
  const { statusCode, rawPayload } = await app.inject({ url: `${apiBase}/export?key=${key}` })
  expect(statusCode).toBe(200)
  return await filesIn(rawPayload)
}

/** The files of an export, which are those that its manifest names, with its checksums. */
export async function filesIn(zip: Buffer) {
  const texts = new Map<string, string>()
  for (const [name, entry] of new ZipBuffer(zip)) texts.set(name, (await entry.content()).toString())
  const manifest: Manifest = JSON.parse(texts.get('manifest.json') ?? '')
  const found = [...texts].filter(([name]) => name !== 'manifest.json')
  expect(manifest.files).toEqual(
    found.map(([name, text]) => ({ name, bytes: Buffer.byteLength(text), sha256: hash('sha256', text) })),
  )
  const linesOf = (name: string) => {
    const lines = (texts.get(`${name}.jsonl`) ?? '').split('\n').slice(0, -1)
    return lines.map((line) => JSON.parse(line))
  }
  const counted = Object.keys(manifest.counts)
  expect(manifest.counts).toEqual(Object.fromEntries(counted.map((name) => [name, linesOf(name).length])))
  return { texts, manifest, linesOf }
}
