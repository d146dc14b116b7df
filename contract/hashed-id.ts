import { uuidOf } from './fields.ts'

/**
 * Returns an id that follows from a text: the same on every device. It is FNV-1a of 128 bits as a UUID of version 8, because
 * `crypto.subtle` does not exist on plain HTTP. The hash is four numbers of 32 bits, because a BigInt takes ten times as long.
 */
export function hashedId(text: string): string {
  let [a, b, c, d] = [0x6295c58d, 0x62b82175, 0x07bb0142, 0x6c62272e]
  for (let index = 0; index < text.length; index++) {
    a = (a ^ text.charCodeAt(index)) >>> 0
    // Times the prime 2^88 + 0x13b.
    const [low, second, third, high] = [a * 0x13b, b * 0x13b, c * 0x13b, d * 0x13b]
    const toThird = (a << 24) >>> 0
    const toHigh = (a >>> 8) + ((b << 24) >>> 0)
    const secondSum = second + Math.floor(low / 0x100000000)
    const thirdSum = third + toThird + Math.floor(secondSum / 0x100000000)
    const highSum = high + toHigh + Math.floor(thirdSum / 0x100000000)
    a = low >>> 0
    b = secondSum >>> 0
    c = thirdSum >>> 0
    d = highSum >>> 0
  }
  const digits = [d, c, b, a].map((part) => part.toString(16).padStart(8, '0')).join('')
  const variant = '89ab'[Number.parseInt(digits[16] as string, 16) % 4]
  return uuidOf(`${digits.slice(0, 12)}8${digits.slice(13, 16)}${variant}${digits.slice(17)}`)
}
