import { expect, test } from 'vitest'
import { clientName } from './client-name.ts'

const firefox = (system: string, engine = '20100101') =>
  `Mozilla/5.0 (${system}; rv:153.0) Gecko/${engine} Firefox/153.0`
const chrome = (system: string, more = 'Chrome/146.0.0.0', end = 'Safari/537.36') =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${more} ${end}`
const apple = (system: string, more: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/605.1.15 (KHTML, like Gecko) ${more}`
const [windows, android] = ['Windows NT 10.0; Win64; x64', 'Linux; Android 10; K']
const [macOS, iPhone, iPad] = [
  'Macintosh; Intel Mac OS X 10_15_7',
  'iPhone; CPU iPhone OS 18_7 like Mac OS X',
  'iPad; CPU OS 18_7 like Mac OS X',
]
const mobile = 'Mobile Safari/537.36'

test.each([
  ['Firefox on Linux', firefox('X11; Linux x86_64')],
  ['Firefox on Windows', firefox(windows)],
  ['Firefox on Android', firefox('Android 16; Mobile', '153.0')],
  ['Firefox on iPhone', apple(iPhone, 'FxiOS/153.0 Mobile/15E148 Safari/604.1')],
  ['Chrome on Windows', chrome(windows)],
  ['Chrome on Android', chrome(android, 'Chrome/146.0.0.0', mobile)],
  ['Chrome on ChromeOS', chrome('X11; CrOS x86_64 14541.0.0')],
  ['Chrome on Linux', chrome('X11; Linux x86_64', 'HeadlessChrome/146.0.0.0')],
  ['Edge on Windows', chrome(windows, 'Chrome/146.0.0.0', 'Safari/537.36 Edg/146.0.0.0')],
  ['Edge on Android', chrome(android, 'Chrome/146.0.0.0', `${mobile} EdgA/146.0.0.0`)],
  ['Samsung Internet on Android', chrome(android, 'SamsungBrowser/29.0 Chrome/136.0.0.0', mobile)],
  ['Safari on macOS', apple(macOS, 'Version/26.0 Safari/605.1.15')],
  ['Safari on iPad', apple(iPad, 'Version/26.0 Mobile/15E148 Safari/604.1')],
  ['curl', 'curl/8.14.1'],
  ['Daymark for Emacs', 'Daymark for Emacs/1.2 (x)'],
  ['', 'Mozilla/5.0 (<script>)'],
  ['', '\u001b[31m/1'],
  ['', ''],
  ['', undefined],
])('“%s” is the name of a client with the User-Agent %s', (name, userAgent) => {
  expect(clientName(userAgent)).toBe(name)
})
