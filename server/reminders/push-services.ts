/** The hosts of the known push services. `*.` stands for any name below. */
const knownHosts = [
  '*.push.services.mozilla.com',
  'fcm.googleapis.com',
  'web.push.apple.com',
  '*.notify.windows.com',
]

const isBelow = (host: string, pattern: string) =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) && !host.startsWith('.') : host === pattern

/**
 * Returns the address of an endpoint that a client has given, if it is one of a known push service over https, or of one that the
 * operator has added, whatever its port. Other addresses would let a client steer the requests of the server.
 */
export function pushAddress(endpoint: string, added: readonly string[]): URL | undefined {
  const url = URL.parse(endpoint)
  if (url?.protocol !== 'https:' || url.username || url.password) return undefined
  if (added.includes(url.hostname)) return url
  return url.port === '' && knownHosts.some((pattern) => isBelow(url.hostname, pattern)) ? url : undefined
}
