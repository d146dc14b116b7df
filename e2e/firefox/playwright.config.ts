import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import chromium from '../../playwright.config.ts'

/** The browser tests in an installed Firefox, which `bidi-proxy.mjs` starts. */
export default defineConfig({
  ...chromium,
  testDir: '..',
  outputDir: '../../test-results/firefox',
  // Tests that fail because of the driver fail early; a test that waits for an event that never comes need not wait long.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    ...chromium.use,
    browserName: 'firefox',
    channel: 'moz-firefox',
    actionTimeout: 15_000,
    screenshot: 'off',
    launchOptions: {
      executablePath: join(import.meta.dirname, 'bidi-proxy.mjs'),
      // The content process of Firefox 153 crashes when axe or Playwright reads `ariaLabelledByElements` after a labelling element was
      // removed, and the evaluation ends with `Execution context was destroyed`. The page itself does not read it.
      firefoxUserPrefs: { 'accessibility.ARIAElementReflection.enabled': false },
    },
  },
})
