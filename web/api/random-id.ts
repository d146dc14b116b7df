/** A random UUID, version 4. `crypto.randomUUID` exists only on pages that are served over HTTPS or by the own machine. */
export const randomId = (): string => idOf(crypto.getRandomValues(new Uint8Array(16)), 0x40)

/** A UUID of version 7, which begins with the time: lists sort items by their ids, so later ones come after earlier ones. */
export function itemId(now: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  for (let index = 0; index < 6; index++) bytes[index] = Math.floor(now / 256 ** (5 - index)) % 256
  return idOf(bytes, 0x70)
}

function idOf(bytes: Uint8Array, version: number): string {
  bytes.set([((bytes[6] ?? 0) & 0x0f) | version, bytes[7] ?? 0, variantOf(bytes[8])], 6)
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const variantOf = (byte = 0) => (byte & 0x3f) | 0x80
