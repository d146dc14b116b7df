import type { XStatic } from 'typebox/schema'
import { visible } from './blank.ts'
import type { Calls } from './calls.ts'
import { objectOf } from './fields.ts'
import { pageSize, searchLength } from './limits.ts'
import { NoteSummary } from './notes.ts'
import { Task } from './tasks.ts'

const SearchQuery = objectOf(
  {
    q: {
      type: 'string',
      format: 'text',
      maxLength: searchLength.max,
      documented: { pattern: visible },
      examples: ['plants #home'],
      description:
        'One to 16 words that all occur in the title or the body, in any order, as whole words or parts of words; case and accents do not matter. A word such as `#home` is a tag and is found as a whole.',
    },
  },
  { limit: { type: 'integer', minimum: 1, maximum: pageSize.max, default: pageSize.default } },
)

export const FoundNote = {
  ...NoteSummary,
  required: [...NoteSummary.required, 'excerpt'],
  properties: {
    ...NoteSummary.properties,
    excerpt: { type: 'string', description: 'The part of the text in which a word was first found' },
  },
} as const
export type FoundNote = XStatic<typeof FoundNote>

export const Found = objectOf({
  tasks: {
    type: 'array',
    items: Task,
    description:
      'Open tasks before done ones, those with all words in the title before others, newest first; done ones by their completion',
  },
  notes: {
    type: 'array',
    items: FoundNote,
    description: 'Those with all words in the title before others, then by the time of the newest text',
  },
  similar: {
    type: 'array',
    items: { type: 'string' },
    description:
      'Words of titles and tags that differ by one letter from a word of six letters or more. If fewer than five tasks and notes contain all words, those with similar ones follow.',
  },
  more: {
    type: 'boolean',
    description: 'Whether more tasks or notes were found than this response contains',
  },
  complete: {
    type: 'boolean',
    description: 'Whether all texts were searched: in an account with very long texts, older ones are not',
  },
})
export type Found = XStatic<typeof Found>

export const searchEndpoints = {
  'GET /search': {
    access: 'read',
    query: SearchQuery,
    response: Found,
    problems: ['too-many-searches'],
    fieldCodes: ['blank', 'too-many'],
  },
} satisfies Calls
