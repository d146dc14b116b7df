import { ById, type Calls, Done } from './calls.ts'
import { Id, objectOf } from './fields.ts'

/** How long the address of an export can be used, in milliseconds. */
export const exportAddressLife = 60_000

/**
 * The format of the exported files. `version` rises if a field changes its meaning or a file its place, not with a new field: a
 * reader takes the default of a field that is missing, and names one that it does not know. `readBy`: the first version of Daymark
 * that reads it.
 */
export const exportFormat = { version: 1, readBy: '0.2.0' } as const

const Started = objectOf({
  export: objectOf({
    id: Id,
    key: {
      type: 'string',
      description: 'The key of the address `GET /export?key=…`, which works once, within a minute',
    },
  }),
})

const Progress = objectOf({
  export: objectOf({
    percent: {
      type: 'integer',
      minimum: 0,
      maximum: 100,
      description: 'How much of the file was sent; 100 once all of it was',
    },
  }),
})

const AddressQuery = objectOf({
  key: { type: 'string', maxLength: 128, description: 'As `POST /export` returned it' },
})

export const exportEndpoints = {
  /** Makes an address for one download. An earlier export of the account ends. */
  'POST /export': { access: 'read', response: Started },
  /** The file. A browser downloads it by its address alone, which has no token. */
  'GET /export': {
    access: 'none',
    query: AddressQuery,
    response: { type: 'string', format: 'binary' },
    mediaType: 'application/zip',
    problems: [
      ...(['export-address-over', 'too-many-exports', 'stream-stopping', 'client-gone'] as const),
      ...(['database-read-only', 'database-damaged', 'database-lost', 'outcome-unknown'] as const),
      ...(['too-many-writes', 'storage-full'] as const),
    ],
  },
  'GET /export/:id': { access: 'read', params: ById, response: Progress, problems: ['no-such-export'] },
  /** Ends an export: its address is not valid any more, and its download stops. */
  'DELETE /export/:id': { access: 'read', params: ById, response: Done, problems: ['no-such-export'] },
} satisfies Calls
