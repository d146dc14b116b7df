import { randomUUID } from 'node:crypto'
import type { TestUser } from './test-server.ts'

/** Calls `POST /changes` with these changes, each under a new mutation id unless it has one. */
export const sendChanges = (user: TestUser, ...changes: object[]) =>
  user.call('POST /changes', {
    body: { changes: changes.map((each) => ({ mutation: randomUUID(), ...each })) },
  })
