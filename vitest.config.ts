import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,web,scripts}/**/*.test.ts'],
    globalSetup: 'server/testing/global-setup.ts',
    // A process for each file: the tests start servers and engines, and nothing of one may leak into the next.
    pool: 'forks',
    maxWorkers: 2,
  },
})
