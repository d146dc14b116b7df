import { chromium } from '@playwright/test'

/** Starts the headless shell of Chromium: the full browser also draws windows of its own, which takes most of a core. */
export const launchChromium = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu'],
  })
