import { excerptOf, excerptStart } from '#contract/excerpt.ts'
import { findWords } from '#contract/find-words.ts'
import { fold } from '#contract/folding.ts'
import { summaryOf } from '#contract/note-summary.ts'
import { hasWords, wordsOf } from '#contract/search-rules.ts'
import { tagsIn } from '#contract/tags.ts'
import { validatorCompiler } from '../server/http/validation.ts'
import { firstDifference } from '../server/notes/note-history.ts'
import { lineChanges, textChanges } from '../web/notes/line-changes.ts'
import { storedText } from '../web/notes/line-endings.ts'
import { addressOf, isWebAddress } from '../web/notes/markdown/note-address.ts'
import { noteParser } from '../web/notes/markdown/note-parser.ts'
import { mergeLines } from '../web/notes/merge-lines.ts'
import { plainText } from '../web/notes/plain-text.ts'
import { linkTo, taskLinkIn, taskOfLine, withoutTaskLink } from '../web/notes/task-line.ts'
import { withChecked } from '../web/store/ticked-body.ts'
import { splitAtCheckLines } from '../web/tasks/card/check-lines.ts'
import { splitAtLinks } from '../web/tasks/card/links.ts'
import { typedTagAt } from '../web/tasks/form/known-tags.ts'
import { withLink, withoutLink } from '../web/tasks/undo/linked-line.ts'
import { dateWordsOf } from '../web/tasks/words/date-words.ts'
import { french } from '../web/tasks/words/french.ts'
import { german } from '../web/tasks/words/german.ts'
import { readTaskText } from '../web/tasks/words/task-text.ts'
import { row, section } from './report.ts'

const today = '2026-11-21'
const findDates = dateWordsOf([german, french], true)
const format = (name: string) => ({ type: 'string', format: name })
const properties = { email: format('email'), day: format('day'), id: format('uuid'), text: format('text') }
const formats = validatorCompiler({
  ...{ schema: { type: 'object', properties }, method: 'POST', url: '', httpPart: 'body' },
})

const line = { note: 'n', task: 't', number: 0, plain: 'a', linked: '[a](task:t)' }

/** Everything that reads a text of a person, on the server or in the page, and why its time is linear. */
const readers: [name: string, read: (text: string) => unknown, because: string][] = [
  [
    'formats',
    (text) => formats({ email: text, day: text, id: text, text }),
    'each pattern has one possible start',
  ],
  ['fold', fold, 'NFKD sorts at most 30 marks at a time; the patterns match single characters'],
  ['wordsOf', (text) => wordsOf(text.slice(0, 200)), 'a query has 200 characters'],
  [
    'hasWords',
    (text) => hasWords(text, ['#a', 'garden']),
    'one search for each of 16 words, one for all tags',
  ],
  [
    'findWords',
    (text) => findWords(text, ['#a', 'x', 'garden']),
    'as above, and each character is folded once',
  ],
  [
    'tagsIn',
    tagsIn,
    'lines are read once, 24 levels at most, and sections from bracket to bracket; an address or tag ends where the next may begin',
  ],
  ['typedTagAt', (text) => typedTagAt(text, text.length), 'as above'],
  ['summaryOf', summaryOf, 'one search for a character; the rest reads 800 characters'],
  ['firstDifference', (text) => firstDifference(text, `${text}x`), 'compares character by character'],
  ['splitAtLinks', (text) => splitAtLinks(text), 'as above'],
  ['splitAtLinks, cut', (text) => splitAtLinks(text, 400), 'as above'],
  [
    'splitAtCheckLines',
    splitAtCheckLines,
    'each line is matched from its start, and no repetition overlaps the next',
  ],
  ['withChecked', (text) => withChecked(text, { line: 0, text: 'x' }, true), 'as above'],
  ['excerptOf', (text) => excerptOf(text, ['garden']), 'as excerptStart'],
  [
    'excerptStart',
    (text) => excerptStart(text, ['garden'], 400),
    'reads parts of 4,000 characters, each twice',
  ],
  ['readTaskText', (text) => readTaskText(text, { today, findDates }), 'longer texts are not read'],
  ['plainText', plainText, 'each repetition ends at a character that it does not contain; a summary has 200'],
  ['taskOfLine', taskOfLine, 'matched from the start of a line, and no repetition overlaps the next'],
  ['taskLinkIn', taskLinkIn, 'as splitAtLinks'],
  ['withoutTaskLink', withoutTaskLink, 'as above'],
  [
    'withLink',
    (text) => withLink(text, { ...line, plain: text.slice(0, text.length / 2) }),
    'compares line by line, and replaces one of them',
  ],
  [
    'withoutLink',
    (text) => withoutLink(text, { ...line, linked: `${text.slice(0, text.length / 2)}](task:t)` }),
    'one search for a string that its end makes unique',
  ],
  ['linkTo', (text) => linkTo(text, 'task:x'), 'matches single characters'],
  ['addressOf', addressOf, 'matched from the start, or single characters'],
  ['isWebAddress', (text) => isWebAddress(`https://${text}`), 'as above'],
  [
    'noteParser',
    (text) => noteParser.parse(text),
    'paragraphs of 5,000 characters at most, 24 levels at most',
  ],
  ['storedText', (text) => storedText(`${text}\r\n`, `${text}x`), 'the differences of lines are bounded'],
  [
    'textChanges',
    (text) => textChanges(text, `x${text.slice(1)}y`),
    'at most 400 edits of lines are searched for',
  ],
  ['lineChanges', (text) => lineChanges(text.split('\n'), text.split('\n').reverse()), 'as above'],
  ['mergeLines', (text) => mergeLines(text, `x${text}`, `${text}y`), 'as above'],
]

/** The parts that hostile texts repeat. */
const parts = [
  ...[
    '[',
    ']',
    '(',
    ')',
    '\\',
    '`',
    '*',
    '_',
    '~',
    '#',
    '“',
    '„',
    '"',
    ' ',
    '\t',
    '\n',
    'a',
    '1',
    '|',
    '-',
    ':',
    '>',
  ],
  ...['!', '<', '&', '@', '.', '\r\n', '\u0301', '\u0315\u0300', '\uFF9E\u0300', '\uFDFB', '😀'],
  ...[
    '- [ ] ',
    '- [x] a\n',
    '[a](note:',
    '[\\[',
    '[[',
    '[]',
    '](',
    '![',
    '[a][b',
    '[a]: b\n',
    '1. ',
    '> - ',
    '- a\n',
  ],
  ...[
    'https://',
    'https://a.b/(',
    'https://a ',
    'mailto:',
    'www.',
    'a@b.',
    '<http:',
    '<!--',
    '&#1',
    'a\n',
    '  \n',
  ],
  ...[
    '**a',
    '*a ',
    ' __a',
    '_a_',
    '***a',
    '~~a',
    '```',
    '``a',
    '|a|b\n',
    '|-|-\n',
    '| -|',
    '## a\n',
    ' #a',
    '#a-',
    '#a/',
    '(#a)',
    '](((',
    '[a](<',
    '[a](b "',
    'http://%',
    '~~~\n',
    '> ```\n',
    '- - ',
  ],
  ...['#1', '!1 ', ' p1', 'tomorrow ', 'in 3 days ', 'a"', '“a”'],
]

const length = 25_000
/** Of a text that is doubled three times, linear time is 8 times as long, and quadratic time 64 times. */
const [doubled, most] = [8, 24]
/** In milliseconds. Shorter times are not compared: they are mostly noise. */
const least = 20

/** The processor time, in milliseconds, because other processes may use the same processors. */
function timeOf(read: (text: string) => unknown, part: string, length: number): number {
  const text = part.repeat(Math.ceil(length / part.length))
  const times = Array.from({ length: 3 }, () => {
    const start = process.cpuUsage()
    read(text)
    return process.cpuUsage(start).user / 1000
  })
  return Math.max(Math.min(...times), 0.1)
}

/** Doubles each hostile text three times, and fails if a reader takes more time than some noise explains. */
export async function longTexts() {
  section(`Time for a text of ${doubled * length} characters against ${length} (at most ${most})`)
  const slow: string[] = []
  for (const [name, read, because] of readers) {
    let largest = 0
    for (const part of parts) {
      if (timeOf(read, part, doubled * length) < least) continue
      // The minimum of three, because a garbage collection can take longer than the reader.
      const growths = Array.from(
        { length: 3 },
        () => timeOf(read, part, doubled * length) / timeOf(read, part, length),
      )
      const growth = Math.min(...growths)
      largest = Math.max(largest, growth)
      if (growth > most) slow.push(`${name} of ${JSON.stringify(part)}: ${growth.toFixed(1)}`)
    }
    row(`${name}: ${because}`, largest === 0 ? `under ${least} ms` : largest)
  }
  if (slow.length > 0) throw new Error(`not linear: ${slow.join(', ')}`)
}
