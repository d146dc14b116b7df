/**
 * A random UUID, version 4. `crypto.randomUUID` does not exist on pages that are served over plain HTTP, except those of
 * the own machine.
 */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes.set([versionOf(bytes[6]), bytes[7] ?? 0, variantOf(bytes[8])], 6)
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const versionOf = (byte = 0) => (byte & 0x0f) | 0x40
const variantOf = (byte = 0) => (byte & 0x3f) | 0x80
