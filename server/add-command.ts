import { timeHere, todayHere } from '#contract/days.ts'
import { apiBase } from '#contract/limits.ts'
import { defaultPriority } from '#contract/lists.ts'
import type { Problem } from '#contract/problem.ts'
import type { TaskValues } from '#contract/tasks.ts'
import { dateWordsIn } from '#contract/words/date-words.ts'
import { readTaskText } from '#contract/words/task-text.ts'
import { CommandError, inOneLine, readOptions, runCommand } from './command.ts'
import { textOf } from './environment.ts'
import { newId } from './new-id.ts'

/** How long the command waits for the server. */
const longestWait = 30_000

const usage = `add TASK [--server URL] [--token TOKEN]
Adds a task to a server, reading the text as the quick line of the page does: daymark add 'Pay rent tomorrow !high'
Without the options, the variables DAYMARK_SERVER and DAYMARK_TOKEN are read. Account makes tokens; the scope add suffices.`

await runCommand(async () => {
  const { positionals, values } = readOptions(usage, {
    options: { server: { type: 'string' }, token: { type: 'string' } },
    allowPositionals: true,
  })
  const server = serverOf(values.server ?? textOf(process.env, 'DAYMARK_SERVER'))
  const token = values.token ?? textOf(process.env, 'DAYMARK_TOKEN')
  if (!token || !/^[\w-]+$/.test(token))
    throw new CommandError(
      'DAYMARK_TOKEN or --token must be a token, which Account makes: letters, digits, "-" and "_".',
    )
  const line = positionals.join(' ')
  if (line.trim() === '')
    throw new CommandError("Name the task, as in: add 'Pay rent tomorrow' --server https://tasks.example.org")
  const task = await read(line)
  await send(server, token, task)
  return sentenceOf(task)
})

function serverOf(text: string | undefined): URL {
  const url = text === undefined ? null : URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.href !== `${url.origin}/`)
    throw new CommandError(
      'DAYMARK_SERVER or --server must be the address of a server without a path, such as https://tasks.example.org.',
    )
  return url
}

/** Reads a line as the quick line of the page does, in the language of the environment (`LANG`) and in English, on the clock of this machine. */
async function read(line: string): Promise<TaskValues> {
  const clock = new Date()
  const today = todayHere(clock)
  const findDates = dateWordsIn([Intl.DateTimeFormat().resolvedOptions().locale])
  const { title, set } = readTaskText(line, { now: { today, time: timeHere(clock) }, findDates })
  return { title, dueDate: today, priority: defaultPriority, ...set }
}

async function send(server: URL, token: string, values: TaskValues) {
  const key = newId()
  const addition = () => post(new URL(`${apiBase}/list/addTask`, server), { token, key }, values)
  // An answer may be lost after the task was added. With the same key, the server adds no second one.
  const { response, text } = await addition().catch(addition)
  const answer = parsed(text)
  // Other servers, and proxies that ask for a login, may answer anything with 200.
  if (response.ok && typeof answer === 'object' && answer !== null) return
  throw new CommandError(
    isProblem(answer) && response.status === 401
      ? `The token is not valid, or no longer: make one under Account at ${server.origin}, and set DAYMARK_TOKEN or --token to it.`
      : inOneLine(isProblem(answer) ? answer.detail : notDaymark(server, response)),
  )
}

async function post(url: URL, { token, key }: { token: string; key: string }, values: TaskValues) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(values),
      // A redirected POST is sent without its body.
      redirect: 'manual',
      signal: AbortSignal.timeout(longestWait),
    })
    return { response, text: await response.text() }
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error && cause.message ? cause.message : message
    throw new CommandError(`No response from ${url.origin}: ${reason}`, { cause: error })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isProblem(body: unknown): body is Problem {
  return typeof Object(body).detail === 'string'
}

function notDaymark(server: URL, { status, headers }: Response) {
  const target = headers.get('location')
  return target === null
    ? `${server.origin} is not a Daymark server: it responded with the status ${status}.`
    : `${server.origin} redirects to ${target}: give the address of the server itself.`
}

/** Says what was added, as in 'Added "Pay rent": due on Friday, 4 December 2026 at 09:00, high priority.' */
function sentenceOf({ title, dueDate, dueTime, priority, repeat, reminders }: TaskValues): string {
  const facts = [
    dueDate === null ? 'without a date' : `due on ${dayInWords(dueDate)}${dueTime ? ` at ${dueTime}` : ''}`,
    `${priority} priority`,
    repeat ? `repeated by the rule ${repeat}` : [],
    reminders ? `with the reminder ${reminders}` : [],
  ].flat()
  return `Added "${inOneLine(title)}": ${facts.join(', ')}.`
}

function dayInWords(day: string): string {
  return new Date(`${day}T00:00Z`).toLocaleDateString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
}
