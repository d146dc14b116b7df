/** A `User-Agent` also names the browsers that its own is compatible with: the first word that it contains counts. */
const browsers = {
  Edg: 'Edge',
  OPR: 'Opera',
  SamsungBrowser: 'Samsung Internet',
  FxiOS: 'Firefox',
  Firefox: 'Firefox',
  CriOS: 'Chrome',
  Chrome: 'Chrome',
  Safari: 'Safari',
}

const systems = {
  Windows: 'Windows',
  Android: 'Android',
  iPhone: 'iPhone',
  iPad: 'iPad',
  'Mac OS X': 'macOS',
  CrOS: 'ChromeOS',
  Linux: 'Linux',
}

const nameIn = (userAgent: string, names: Record<string, string>) =>
  Object.entries(names).find(([word]) => userAgent.includes(word))?.[1]

/** The browser and system of a `User-Agent` in words, or the name of another program; empty if it says none. */
export function clientName(userAgent = ''): string {
  const browser = nameIn(userAgent, browsers)
  const system = nameIn(userAgent, systems)
  if (browser) return system ? `${browser} on ${system}` : browser
  const [program = ''] = /^[a-z][\w .-]{0,39}(?=\/|$)/i.exec(userAgent) ?? []
  return program === 'Mozilla' ? '' : program
}
