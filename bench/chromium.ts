import { chromium } from '@playwright/test'

/** The headless shell of Chromium: the full browser also draws windows of its own, which takes most of a core. */
export const chromiumPath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell'

export const launchChromium = () =>
  chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] })
