import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { intervals } from './e2e/expect.ts'

// Workers and servers compile only code that has changed since the last run or that no other process of this run has compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node')

/** The browser tests: the built page and the real server, a fresh database for each worker. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/browser',
  fullyParallel: true,
  // Half as many again as cores: many tests wait for a timer of the page.
  workers: Math.ceil(availableParallelism() * 1.5),
  // The timeouts allow for a busy machine; passing tests finish much earlier.
  timeout: 120_000,
  expect: { timeout: 15_000, toPass: { intervals } },
  use: {
    browserName: 'chromium',
    actionTimeout: 30_000,
    locale: 'en-GB',
    // Each test begins with an empty browser, in which the worker would store all files of the page.
    serviceWorkers: 'block',
    viewport: { width: 1280, height: 800 },
    // Drawing the frames of movements would take a tenth of the time. The tests of what moves ask for them with `moving`.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
    screenshot: 'only-on-failure',
  },
})
