import { expect, test } from 'vitest'
import { clientName } from './client-name.ts'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const apple = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each([
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'],
  ['Firefox on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0'],
  ['Firefox on Android', 'Mozilla/5.0 (Android 16; Mobile; rv:153.0) Gecko/153.0 Firefox/153.0'],
  [
    'Firefox on iPhone',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${apple} FxiOS/153.0 Mobile/15E148 Safari/604.1`,
  ],
  ['Chrome on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/146.0.0.0 Safari/537.36`],
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/146.0.0.0 Mobile Safari/537.36`],
  ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webKit} Chrome/146.0.0.0 Safari/537.36`],
  ['Chrome on Linux', `Mozilla/5.0 (X11; Linux x86_64) ${webKit} HeadlessChrome/146.0.0.0 Safari/537.36`],
  [
    'Edge on Windows',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/146.0.0.0 Safari/537.36 Edg/146.0.0.0`,
  ],
  [
    'Edge on Android',
    `Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/146.0.0.0 Mobile Safari/537.36 EdgA/146.0.0.0`,
  ],
  [
    'Samsung Internet on Android',
    `Mozilla/5.0 (Linux; Android 10; K) ${webKit} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
  ],
  [
    'Safari on macOS',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${apple} Version/26.0 Safari/605.1.15`,
  ],
  [
    'Safari on iPad',
    `Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) ${apple} Version/26.0 Mobile/15E148 Safari/604.1`,
  ],
  ['curl', 'curl/8.14.1'],
  ['Daymark for Emacs', 'Daymark for Emacs/1.2 (x)'],
  ['', 'Mozilla/5.0 (<script>)'],
  ['', '\u001b[31m/1'],
  ['', ''],
  ['', undefined],
])('“%s” is the name of a client with the User-Agent %s', (name, userAgent) => {
  expect(clientName(userAgent)).toBe(name)
})
