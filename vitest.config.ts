import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,web,scripts}/**/*.test.ts'],
    globalSetup: 'server/testing/global-setup.ts',
    // Each file runs in a separate process, because tests start servers and databases and change global state.
    pool: 'forks',
    maxWorkers: 2,
    // On a busy machine a test may exceed its time. No other failure is run again.
    retry: { count: 1, condition: /timed out/i },
  },
})
