import { expect, test } from 'vitest'
import { pressedKey } from './pressed-key.ts'

const press = (key: string, code: string, more = {}) =>
  pressedKey({ key, code, shiftKey: false, isComposing: false, keyCode: 0, ...more })

const rows = ['QWERTYUIOP', 'ASDFGHJKL', 'ZXCVBNM'].join('')
/** What the keys of these rows type, in the order of a US keyboard. */
const layouts = {
  Russian: 'йцукенгшщзфывапролдячсмить',
  Ukrainian: 'йцукенгшщзфівапролдячсмить',
  Bulgarian: ',уеишщксдзьяаожгтнвюйъэфхп',
  Greek: ';ςερτυθιοπασδφγηξκλζχψωβνμ',
  Hebrew: "/'קראטוןםפשדגכעיחלךזסבהנמצ",
  Persian: 'ضصثقفغعهخحشسیبلاتنمظطزرذدپ',
  Hindi: 'ौ ै ा ी ू ब ह ग द ज ो े ् ि ु प र क त ॆ ं म न व ल स'.split(' '),
  Arabic: 'ض ص ث ق ف غ ع ه خ ح ش س ي ب ل ا ت ن م ئ ء ؤ ر لا ى ة'.split(' '),
}

test.each(Object.entries(layouts))('On a %s layout each key is that of a US keyboard', (_, typed) => {
  const keys = [...typed]
  expect(keys).toHaveLength(26)
  const read = keys.map((key, index) => press(key, `Key${rows[index]}`)).join('')
  expect(read).toBe(rows.toLowerCase())
  // With Shift, some of them have marks and signs there.
  const shifted = keys.map((key, index) => press(key.toUpperCase(), `Key${rows[index]}`, { shiftKey: true }))
  expect(shifted.join('')).toBe(rows)
})

test.each([
  ['/', '.', 'Slash', {}],
  ['?', ',', 'Slash', { shiftKey: true }],
  ['?', '؟', 'Slash', { shiftKey: true }],
  ['?', '?', 'Digit7', { shiftKey: true }],
  ['/', '/', 'Backslash', { shiftKey: true }],
  ['/', 'ظ', 'Slash', {}],
  ['1', '1', 'Digit1', {}],
  ['1', '۱', 'Digit1', {}],
  ['2', '/', 'Digit2', {}],
  ['5', 'ถ', 'Digit5', {}],
  ['Delete', 'Delete', 'Delete', {}],
])('“%s” is found where such layouts have “%s”, at %s', (read, key, code, more) => {
  expect(press(key, code, more)).toBe(read)
})

test.each([
  [
    'Dvorak',
    { KeyV: 'k', KeyL: 'n', KeyQ: "'", KeyW: ',', KeyE: '.', KeyZ: ';', Slash: 'z', BracketLeft: '/' },
  ],
  [
    'AZERTY',
    { KeyA: 'q', KeyW: 'z', KeyM: ',', Semicolon: 'm', Slash: '!', Digit1: '&', Digit2: 'é', Digit0: 'à' },
  ],
  ['QWERTZ', { KeyY: 'z', KeyZ: 'y', Semicolon: 'ö', Slash: '-', Minus: 'ß' }],
])('On %s a key is what it types', (_, keys) => {
  for (const [code, key] of Object.entries(keys)) expect(press(key, code)).toBe(key)
  expect(press('/', 'Digit7', { shiftKey: true })).toBe('/')
  expect(press('§', 'Slash', { shiftKey: true })).toBe('§')
})

test('A key of an input method is no key of a shortcut', () => {
  expect(press('n', 'KeyN', { isComposing: true })).toBe('')
  expect(press('Process', 'KeyN', { keyCode: 229 })).toBe('')
  expect(press('Enter', 'Enter', { keyCode: 229 })).toBe('')
})
