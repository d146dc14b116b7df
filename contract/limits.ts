/** Limits of the specification (section 9) and of the design. Lengths are in Unicode code points. */

/** The path prefix of every API call (specification section 7). */
export const apiBase = '/api/v1'

/** The local storage key of the session token (specification section 3). */
export const tokenKey = 'token'

export const nameLength = { min: 1, max: 100 }
/** The name of a token, which each change that is made with it has, and the maximum number of tokens per user. */
export const tokenNameLength = { min: 1, max: 50 }
export const tokensPerUser = 50

/** The calendar of an account: the maximum number of its events, and for how many days it can have tasks that are done. */
export const feedLimits = { events: 5000, doneDays: 30 }

export const emailLength = { max: 254 }
export const passwordLength = { min: 8, max: 256 }
export const titleLength = { min: 1, max: 500 }
export const bodyLength = { max: 100_000 }

/** The first and the last due date that a task can be given. Days are `YYYY-MM-DD`. */
export const dueDates = { min: '1970-01-01', max: '2200-12-31' }

/**
 * Limits of the rules of repeats: the length of their text, INTERVAL and COUNT, and how many days, weeks, months or years are
 * examined to find one occurrence, and to count missed ones. `passed`: the tasks and the days of one response about passed days.
 */
export const repeatLimits = {
  length: 300,
  interval: 1000,
  count: 1000,
  steps: 1000,
  countedSteps: 4000,
  passed: 100,
}

/** Number of tasks in one response of a list call. */
export const pageSize = { default: 50, max: 200 }

/** Maximum size of the tasks in one response of a list call, as JSON, in bytes. A page ends at this size too. */
export const pageBytes = 1_048_576

/** Maximum length of a search, and maximum number of its words: each word is looked for in every text. */
export const searchLength = { max: 200, words: 16 }

export const tasksPerUser = 100_000

/** The length of a note's text, and of its title and snippet, which lists show instead. */
export const noteLength = { max: 100_000 }
export const summaryLength = 200

/** Maximum number of notes per user, without deleted ones. */
export const notesPerUser = 10_000

/** How long deleted tasks and notes can be restored and changes are kept, in milliseconds: 30 days. */
export const keptFor = 30 * 86_400_000

export const changesPerCall = 200

export const importsPerCall = 200

/** The name of the session that an import has in the history. */
export const importName = 'import'

/** The bytes of a row of the log, or of a version, besides its texts that count towards the stored bytes of an account. */
export const rowBytes = 256

/** Maximum number of changes that are undone together. */
export const changesPerGroup = 2000

/**
 * The version of results and deltas that the page understands. It is raised when a page of the previous build, which may still
 * be open, would misread them.
 */
export const pageVersion = '2'

/** Maximum size of a request body, in bytes; `credentials`: of calls without a token, and of calls with access to the account. */
export const requestBytes = { default: 1_048_576, credentials: 16_384 }
