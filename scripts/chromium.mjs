import { join } from 'node:path'
import { root } from './install.mjs'
import { installDebian, onPath, starts, succeeds } from './programs.mjs'

// The headless shell is the same browser without the windows and menus, which take as long to start as a test takes.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

/** Returns the path of a working Chromium: an installed one, or else Debian's package, or else Playwright's download. */
export async function findOrInstallChromium() {
  return (await installed()) ?? (await fromDebian()) ?? (await fromPlaywright())
}

async function installed() {
  const { chromium } = await import('@playwright/test')
  const onMac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  return [process.env.CHROMIUM_PATH, ...onPath(names), onMac, chromium.executablePath()].find(starts)
}

const fromDebian = () => (installDebian('Chromium', ['chromium-headless-shell']) ? installed() : undefined)

function fromPlaywright() {
  console.log('Downloading Chromium …')
  succeeds(join(root, 'node_modules/.bin/playwright'), ['install', 'chromium'])
  return installed()
}
